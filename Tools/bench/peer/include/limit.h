#ifndef TIDEMARK_LIMIT_H
#define TIDEMARK_LIMIT_H

#include <stddef.h>
#include <stdint.h>

// What no verification of a journal can do without, in C and on one processor: every block is read,
// its checksum made, its entries unpacked, and two digests made for each: its leaf, and a node.

// `sum` is of bytes of every digest, so that none can be left out.
typedef struct {
  uint64_t entries, sum;
} tidemark_limit;

// Goes through the blocks of the journal at `path`, none of which unpacks to more than `capacity`.
// Returns 0, or a result code of SQLite.
int tidemark_limit_run(const char *path, size_t capacity, tidemark_limit *result);

#endif

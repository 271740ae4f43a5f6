#ifndef TIDEMARK_LIMIT_H
#define TIDEMARK_LIMIT_H

#include <stddef.h>
#include <stdint.h>

#include "peer.h"

// What a journal of this format cannot do without, in C and on one processor: how far ahead of a
// row an entry anybody could come. No key is compared, nothing is decided, nothing is checked
// against anything.

// What a walk saw; `sum` is of bytes of everything that was read, so that nothing can be left out.
typedef struct {
  uint64_t entries, sum;
} tidemark_limit;

// What is done with each entry of a block, behind the block's checksum and its unpacking.
typedef enum {
  // Its length is read.
  tidemark_limit_walks,
  // Its leaf is hashed, and a node.
  tidemark_limit_hashes
} tidemark_limit_work;

// Goes through the blocks of the journal at `path`, none of which unpacks to more than `capacity`.
// Returns 0, or a result code of SQLite.
int tidemark_limit_read(const char *path, size_t capacity, tidemark_limit_work work,
                        tidemark_limit *result);

// Finds each of `count` entries: reads its block, makes the checksum, unpacks it and goes to it.
// Entries whose bytes are those of the row at the same place are counted.
int tidemark_limit_find(const char *path, size_t capacity, const uint64_t *seqs,
                        const unsigned char *bytes, const tidemark_peer_row *rows, size_t count,
                        tidemark_limit *result);

// A file of blocks that is only written.
typedef struct tidemark_limit_journal tidemark_limit_journal;

// Makes the files. Returns 0, or a result code of SQLite.
int tidemark_limit_open(const char *path, const char *anchor, tidemark_limit_journal **journal);
void tidemark_limit_close(tidemark_limit_journal *journal);
int tidemark_limit_durable(tidemark_limit_journal *journal, int durable);

// Appends entries that are encoded already, `per_commit` in a transaction: two digests for each;
// blocks of 16 KiB, packed, with a checksum; the fingerprint of each key, in sorted runs; behind
// each durable commit the anchor's bytes.
int tidemark_limit_append(tidemark_limit_journal *journal, const unsigned char *bytes,
                          const tidemark_peer_row *rows, size_t count, size_t per_commit);

// How many entries and blocks were written.
uint64_t tidemark_limit_entries(const tidemark_limit_journal *journal);
uint64_t tidemark_limit_blocks(const tidemark_limit_journal *journal);

// Goes once through a capture, and keeps every long string as a body: without its escapes, with its
// digest, packed. No member is named, no entry made. `entries` counts bodies, `sum` objects.
int tidemark_limit_import(const char *capture, const char *journal, tidemark_limit *result);

#endif

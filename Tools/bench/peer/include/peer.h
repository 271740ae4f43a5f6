#ifndef TIDEMARK_PEER_H
#define TIDEMARK_PEER_H

#include <stddef.h>
#include <stdint.h>

// What an app would write without Tidemark: plain SQLite, one row an entry, a UNIQUE key.

typedef struct tidemark_peer tidemark_peer;

// Where the key and the payload of a row lie in the bytes that are given with the rows.
typedef struct {
  uint32_t key_start, key_bytes, payload_start, payload_bytes;
} tidemark_peer_row;

// What a scan saw; `sum` is of bytes of every row, so that none can be left unread.
typedef struct {
  uint64_t rows, bytes, sum;
} tidemark_peer_scan;

// Opens the file, making it if need be, with a write-ahead log.
// Returns 0, or a result code of SQLite.
int tidemark_peer_open(const char *path, tidemark_peer **peer);
void tidemark_peer_close(tidemark_peer *peer);
const char *tidemark_peer_message(tidemark_peer *peer);

// Whether each commit waits for the medium: synchronous FULL, or NORMAL.
int tidemark_peer_durable(tidemark_peer *peer, int durable);

// How much of the file SQLite may keep in memory.
int tidemark_peer_cache(tidemark_peer *peer, int kibibytes);

// Inserts rows, `per_commit` in a transaction. Rows whose key is there are counted in `refused`.
int tidemark_peer_append(tidemark_peer *peer, const unsigned char *bytes,
                         const tidemark_peer_row *rows, size_t count, size_t per_commit,
                         uint64_t *refused);

// Reads every row in order.
int tidemark_peer_read(tidemark_peer *peer, tidemark_peer_scan *result);

// Runs a program, its output to nowhere, and waits for it. Returns its exit status, or -1; the time
// that the processor worked for it goes to `nanoseconds`.
int tidemark_peer_run(char *const words[], uint64_t *nanoseconds);

// Waits until the bytes of the file are on the medium; the smallest thing that can be durable.
int tidemark_peer_sync(int descriptor);

#endif

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "limit.h"
#include "limit_hash.h"

enum {
  block_bytes = 16 << 10,
  entry_bytes_max = 16 << 10,
  packed_bytes_min = 256,
  tail_max = 8192,
  anchor_bytes = 256,
  level = -2
};

typedef struct {
  uint64_t fingerprint, seq;
} item;

struct tidemark_limit_journal {
  sqlite3 *connection;
  sqlite3_stmt *begin, *commit, *insert_block, *insert_run;
  ZSTD_CCtx *context;
  int anchor, durable;
  unsigned char frames[block_bytes + entry_bytes_max], packed[2 * (block_bytes + entry_bytes_max)];
  size_t frame_bytes, block_entries;
  unsigned char node[2 * SHA256_DIGEST_LENGTH];
  item tail[tail_max];
  size_t tail_count;
  uint64_t entries, blocks;
};

static int prepare(tidemark_limit_journal *journal, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v3(journal->connection, sql, -1, SQLITE_PREPARE_PERSISTENT, statement,
                            NULL);
}

static int set_up(tidemark_limit_journal *journal) {
  int result = sqlite3_exec(
      journal->connection,
      "PRAGMA journal_mode = WAL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;"
      "CREATE TABLE blocks(first_seq INTEGER PRIMARY KEY, entry_count INTEGER NOT NULL,"
      "  codec INTEGER NOT NULL, raw_bytes INTEGER NOT NULL, subtrees BLOB NOT NULL,"
      "  checksum BLOB NOT NULL, frames BLOB NOT NULL) STRICT;"
      "CREATE TABLE runs(id INTEGER PRIMARY KEY, items BLOB NOT NULL) STRICT",
      NULL, NULL, NULL);
  if (result == SQLITE_OK) result = prepare(journal, "BEGIN IMMEDIATE", &journal->begin);
  if (result == SQLITE_OK) result = prepare(journal, "COMMIT", &journal->commit);
  if (result == SQLITE_OK)
    result = prepare(journal, "INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?, ?)",
                     &journal->insert_block);
  if (result == SQLITE_OK)
    result = prepare(journal, "INSERT INTO runs(items) VALUES (?)", &journal->insert_run);
  return result;
}

int tidemark_limit_open(const char *path, const char *anchor, tidemark_limit_journal **journal) {
  tidemark_limit_journal *opened = calloc(1, sizeof *opened);
  if (!opened) return SQLITE_NOMEM;
  *journal = opened;
  opened->context = ZSTD_createCCtx();
  opened->anchor = open(anchor, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (!opened->context || opened->anchor < 0) return SQLITE_CANTOPEN;
  ZSTD_CCtx_setParameter(opened->context, ZSTD_c_compressionLevel, level);
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  int result = sqlite3_open_v2(path, &opened->connection, flags, NULL);
  return result == SQLITE_OK ? set_up(opened) : result;
}

void tidemark_limit_close(tidemark_limit_journal *journal) {
  if (!journal) return;
  sqlite3_finalize(journal->begin);
  sqlite3_finalize(journal->commit);
  sqlite3_finalize(journal->insert_block);
  sqlite3_finalize(journal->insert_run);
  sqlite3_close(journal->connection);
  ZSTD_freeCCtx(journal->context);
  if (journal->anchor >= 0) close(journal->anchor);
  free(journal);
}

int tidemark_limit_durable(tidemark_limit_journal *journal, int durable) {
  journal->durable = durable;
  const char *sql = durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL";
  return sqlite3_exec(journal->connection, sql, NULL, NULL, NULL);
}

uint64_t tidemark_limit_entries(const tidemark_limit_journal *journal) { return journal->entries; }
uint64_t tidemark_limit_blocks(const tidemark_limit_journal *journal) { return journal->blocks; }

static int run(sqlite3_stmt *statement) {
  int result = sqlite3_step(statement);
  sqlite3_reset(statement);
  return result == SQLITE_DONE ? SQLITE_OK : result;
}

static int write_block(tidemark_limit_journal *journal) {
  if (journal->block_entries == 0) return SQLITE_OK;
  const unsigned char *frames = journal->frames;
  size_t count = journal->frame_bytes;
  int is_packed = count >= packed_bytes_min;
  if (is_packed) {
    count = ZSTD_compress2(journal->context, journal->packed, sizeof journal->packed, frames, count);
    if (ZSTD_isError(count)) return SQLITE_ERROR;
    frames = journal->packed;
  }
  unsigned char checksum[SHA256_DIGEST_LENGTH];
  limit_hash(0, frames, count, checksum);
  sqlite3_stmt *row = journal->insert_block;
  sqlite3_bind_int64(row, 1, (sqlite3_int64)(journal->entries - journal->block_entries + 1));
  sqlite3_bind_int64(row, 2, (sqlite3_int64)journal->block_entries);
  sqlite3_bind_int(row, 3, is_packed);
  sqlite3_bind_int64(row, 4, (sqlite3_int64)journal->frame_bytes);
  sqlite3_bind_blob(row, 5, journal->node, SHA256_DIGEST_LENGTH, SQLITE_STATIC);
  sqlite3_bind_blob(row, 6, checksum, 8, SQLITE_STATIC);
  sqlite3_bind_blob(row, 7, frames, (int)count, SQLITE_STATIC);
  journal->frame_bytes = journal->block_entries = 0;
  journal->blocks += 1;
  return run(row);
}

static int compare_items(const void *left, const void *right) {
  uint64_t a = ((const item *)left)->fingerprint, b = ((const item *)right)->fingerprint;
  return (a > b) - (a < b);
}

static int write_run(tidemark_limit_journal *journal) {
  qsort(journal->tail, journal->tail_count, sizeof *journal->tail, compare_items);
  size_t count = journal->tail_count * sizeof *journal->tail;
  sqlite3_bind_blob(journal->insert_run, 1, journal->tail, (int)count, SQLITE_STATIC);
  journal->tail_count = 0;
  return run(journal->insert_run);
}

static uint64_t fingerprint(const unsigned char *bytes, size_t count) {
  uint64_t state = 0x9e3779b97f4a7c15, word;
  for (; count >= 8; bytes += 8, count -= 8) {
    memcpy(&word, bytes, 8);
    __uint128_t product = (__uint128_t)(state ^ word) * 0xbf58476d1ce4e5b9;
    state = (uint64_t)product ^ (uint64_t)(product >> 64);
  }
  return state;
}

static int add(tidemark_limit_journal *journal, const unsigned char *bytes,
               tidemark_peer_row row) {
  if (row.payload_bytes > entry_bytes_max - 2) return SQLITE_TOOBIG;
  const unsigned char *entry = bytes + row.payload_start;
  unsigned char *frame = journal->frames + journal->frame_bytes;
  frame[0] = (unsigned char)row.payload_bytes;
  frame[1] = (unsigned char)(row.payload_bytes >> 8);
  memcpy(frame + 2, entry, row.payload_bytes);
  limit_hash_entry(entry, row.payload_bytes, journal->node);
  journal->frame_bytes += 2 + row.payload_bytes;
  journal->block_entries += 1;
  journal->entries += 1;
  item item = {fingerprint(bytes + row.key_start, row.key_bytes), journal->entries};
  journal->tail[journal->tail_count++] = item;
  int result = SQLITE_OK;
  if (journal->frame_bytes > block_bytes) result = write_block(journal);
  if (result == SQLITE_OK && journal->tail_count == tail_max) result = write_run(journal);
  return result;
}

static int acknowledge(tidemark_limit_journal *journal) {
  if (!journal->durable) return SQLITE_OK;
  char slot[anchor_bytes] = {0};
  memcpy(slot, journal->node, SHA256_DIGEST_LENGTH);
  off_t place = (off_t)(journal->blocks % 2) * anchor_bytes;
  return pwrite(journal->anchor, slot, sizeof slot, place) == sizeof slot ? SQLITE_OK
                                                                         : SQLITE_IOERR;
}

int tidemark_limit_append(tidemark_limit_journal *journal, const unsigned char *bytes,
                          const tidemark_peer_row *rows, size_t count, size_t per_commit) {
  int result = SQLITE_OK;
  for (size_t start = 0; result == SQLITE_OK && start < count; start += per_commit) {
    size_t end = count - start < per_commit ? count : start + per_commit;
    result = run(journal->begin);
    for (size_t index = start; result == SQLITE_OK && index < end; index++)
      result = add(journal, bytes, rows[index]);
    if (result == SQLITE_OK) result = write_block(journal);
    if (result == SQLITE_OK) result = run(journal->commit);
    if (result == SQLITE_OK) result = acknowledge(journal);
  }
  return result;
}

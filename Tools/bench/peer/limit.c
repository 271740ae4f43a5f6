#include "limit.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "limit_hash.h"

typedef struct {
  sqlite3 *connection;
  sqlite3_stmt *rows;
  ZSTD_DCtx *context;
  unsigned char *target;
  size_t capacity;
} reader;

static int open_reader(reader *reader, const char *path, const char *sql, size_t capacity) {
  reader->capacity = capacity;
  reader->context = ZSTD_createDCtx();
  reader->target = malloc(capacity);
  if (!reader->context || !reader->target) return SQLITE_NOMEM;
  int status = sqlite3_open_v2(path, &reader->connection, SQLITE_OPEN_READONLY, NULL);
  if (status != SQLITE_OK) return status;
  return sqlite3_prepare_v2(reader->connection, sql, -1, &reader->rows, NULL);
}

static void close_reader(reader *reader) {
  sqlite3_finalize(reader->rows);
  sqlite3_close(reader->connection);
  ZSTD_freeDCtx(reader->context);
  free(reader->target);
}

// The frames of the row that stands there; its first columns are its frames and its codec.
static int unpack(reader *reader, const unsigned char **frames, size_t *count, uint64_t *sum) {
  const unsigned char *packed = sqlite3_column_blob(reader->rows, 0);
  size_t packed_bytes = (size_t)sqlite3_column_bytes(reader->rows, 0);
  unsigned char checksum[SHA256_DIGEST_LENGTH];
  limit_hash(0, packed, packed_bytes, checksum);
  *sum += checksum[0];
  *frames = packed;
  *count = packed_bytes;
  if (sqlite3_column_int(reader->rows, 1) == 0) return SQLITE_OK;
  *frames = reader->target;
  *count = ZSTD_decompressDCtx(reader->context, reader->target, reader->capacity, packed,
                               packed_bytes);
  return ZSTD_isError(*count) ? SQLITE_CORRUPT : SQLITE_OK;
}

// The length of the frame at `offset`, which becomes the place behind its length; 0 at the end.
static size_t next_frame(const unsigned char *frames, size_t count, size_t *offset) {
  if (count - *offset < 2) return 0;
  size_t length = frames[*offset] | (size_t)frames[*offset + 1] << 8;
  *offset += 2;
  return length > count - *offset ? 0 : length;
}

static int go_through(const unsigned char *frames, size_t count, tidemark_limit_work work,
                      tidemark_limit *result) {
  unsigned char node[2 * SHA256_DIGEST_LENGTH] = {0};
  size_t offset = 0, length;
  while ((length = next_frame(frames, count, &offset)) > 0) {
    if (work == tidemark_limit_hashes) limit_hash_entry(frames + offset, length, node);
    result->entries += 1;
    result->sum += node[0] + frames[offset];
    offset += length;
  }
  return offset == count ? SQLITE_OK : SQLITE_CORRUPT;
}

int tidemark_limit_read(const char *path, size_t capacity, tidemark_limit_work work,
                        tidemark_limit *result) {
  reader reader = {0};
  const char *sql = "SELECT frames, codec FROM blocks ORDER BY first_seq";
  int status = open_reader(&reader, path, sql, capacity);
  while (status == SQLITE_OK && (status = sqlite3_step(reader.rows)) == SQLITE_ROW) {
    const unsigned char *frames;
    size_t count;
    status = unpack(&reader, &frames, &count, &result->sum);
    if (status == SQLITE_OK) status = go_through(frames, count, work, result);
  }
  close_reader(&reader);
  return status == SQLITE_DONE ? SQLITE_OK : status;
}

static int find(reader *reader, uint64_t seq, const unsigned char *entry, size_t entry_bytes,
                tidemark_limit *result) {
  sqlite3_bind_int64(reader->rows, 1, (sqlite3_int64)seq);
  if (sqlite3_step(reader->rows) != SQLITE_ROW) return SQLITE_CORRUPT;
  const unsigned char *frames;
  size_t count, offset = 0, length;
  int status = unpack(reader, &frames, &count, &result->sum);
  if (status != SQLITE_OK) return status;
  uint64_t first = (uint64_t)sqlite3_column_int64(reader->rows, 2);
  while ((length = next_frame(frames, count, &offset)) > 0 && first++ < seq) offset += length;
  if (length == entry_bytes && memcmp(frames + offset, entry, length) == 0) result->entries += 1;
  return sqlite3_reset(reader->rows);
}

int tidemark_limit_find(const char *path, size_t capacity, const uint64_t *seqs,
                        const unsigned char *bytes, const tidemark_peer_row *rows, size_t count,
                        tidemark_limit *result) {
  reader reader = {0};
  const char *sql =
      "SELECT frames, codec, first_seq FROM blocks WHERE first_seq <= ?"
      " ORDER BY first_seq DESC LIMIT 1";
  int status = open_reader(&reader, path, sql, capacity);
  for (size_t index = 0; status == SQLITE_OK && index < count; index++)
    status = find(&reader, seqs[index], bytes + rows[index].payload_start,
                  rows[index].payload_bytes, result);
  close_reader(&reader);
  return status;
}

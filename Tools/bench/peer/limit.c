#include "limit.h"

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static void hash(unsigned char first, const unsigned char *bytes, size_t count,
                 unsigned char *digest) {
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, &first, 1);
  SHA256_Update(&context, bytes, count);
  SHA256_Final(digest, &context);
}

// One leaf an entry, and one node: as many as a tree has in the mean.
static int hash_frames(const unsigned char *frames, size_t count, tidemark_limit *result) {
  unsigned char children[2 * SHA256_DIGEST_LENGTH] = {0};
  size_t offset = 0;
  while (offset + 2 <= count) {
    size_t length = frames[offset] | (size_t)frames[offset + 1] << 8;
    offset += 2;
    if (length > count - offset) return SQLITE_CORRUPT;
    hash(0, frames + offset, length, children + SHA256_DIGEST_LENGTH);
    hash(1, children, sizeof children, children);
    result->entries += 1;
    result->sum += children[0];
    offset += length;
  }
  return offset == count ? SQLITE_OK : SQLITE_CORRUPT;
}

static int unpack(sqlite3_stmt *rows, ZSTD_DCtx *context, unsigned char *target,
                  size_t capacity, tidemark_limit *result) {
  const void *packed = sqlite3_column_blob(rows, 0);
  size_t packed_bytes = (size_t)sqlite3_column_bytes(rows, 0);
  unsigned char checksum[SHA256_DIGEST_LENGTH];
  hash(0, packed, packed_bytes, checksum);
  result->sum += checksum[0];
  if (sqlite3_column_int(rows, 1) == 0) return hash_frames(packed, packed_bytes, result);
  size_t count = ZSTD_decompressDCtx(context, target, capacity, packed, packed_bytes);
  return ZSTD_isError(count) ? SQLITE_CORRUPT : hash_frames(target, count, result);
}

int tidemark_limit_run(const char *path, size_t capacity, tidemark_limit *result) {
  sqlite3 *connection = NULL;
  sqlite3_stmt *rows = NULL;
  ZSTD_DCtx *context = ZSTD_createDCtx();
  unsigned char *target = malloc(capacity);
  int status = context && target ? SQLITE_OK : SQLITE_NOMEM;
  if (status == SQLITE_OK) status = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, NULL);
  if (status == SQLITE_OK)
    status = sqlite3_prepare_v2(connection, "SELECT frames, codec FROM blocks ORDER BY first_seq",
                                -1, &rows, NULL);
  while (status == SQLITE_OK && (status = sqlite3_step(rows)) == SQLITE_ROW)
    status = unpack(rows, context, target, capacity, result);
  sqlite3_finalize(rows);
  sqlite3_close(connection);
  ZSTD_freeDCtx(context);
  free(target);
  return status == SQLITE_DONE ? SQLITE_OK : status;
}

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "limit.h"
#include "limit_hash.h"

// Shorter strings are names and headers, no bodies.
enum { body_bytes_min = 512, rows_per_commit = 1000 };

typedef struct {
  sqlite3 *connection;
  sqlite3_stmt *insert;
  ZSTD_CCtx *context;
  unsigned char *plain, *packed;
  size_t packed_max;
  tidemark_limit *result;
} importer;

static int keep(importer *importer, size_t count) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  limit_hash(0, importer->plain, count, digest);
  size_t packed = ZSTD_compress2(importer->context, importer->packed, importer->packed_max,
                                 importer->plain, count);
  if (ZSTD_isError(packed)) return SQLITE_ERROR;
  sqlite3_bind_blob(importer->insert, 1, digest, sizeof digest, SQLITE_STATIC);
  sqlite3_bind_blob(importer->insert, 2, importer->packed, (int)packed, SQLITE_STATIC);
  int result = sqlite3_step(importer->insert);
  sqlite3_reset(importer->insert);
  if (result != SQLITE_DONE) return result;
  importer->result->entries += 1;
  if (importer->result->entries % rows_per_commit != 0) return SQLITE_OK;
  return sqlite3_exec(importer->connection, "COMMIT; BEGIN", NULL, NULL, NULL);
}

// Goes to the end of the string that begins at `offset`, and keeps it without its escapes.
static size_t pass_string(const unsigned char *bytes, size_t count, size_t offset,
                          unsigned char *plain, size_t *length) {
  *length = 0;
  for (; offset < count && bytes[offset] != '"'; offset++) {
    if (bytes[offset] == '\\' && offset + 1 < count) offset++;
    plain[(*length)++] = bytes[offset];
  }
  return offset;
}

static int pass_through(importer *importer, const unsigned char *bytes, size_t count) {
  int result = SQLITE_OK;
  for (size_t offset = 0; result == SQLITE_OK && offset < count; offset++) {
    if (bytes[offset] != '"') {
      importer->result->sum += bytes[offset] == '{';
      continue;
    }
    size_t length;
    offset = pass_string(bytes, count, offset + 1, importer->plain, &length);
    if (length >= body_bytes_min) result = keep(importer, length);
  }
  return result;
}

static int import(importer *importer, const char *journal, const unsigned char *bytes,
                  size_t count) {
  importer->context = ZSTD_createCCtx();
  importer->plain = malloc(count);
  importer->packed_max = ZSTD_compressBound(count);
  importer->packed = malloc(importer->packed_max);
  if (!importer->context || !importer->plain || !importer->packed) return SQLITE_NOMEM;
  ZSTD_CCtx_setParameter(importer->context, ZSTD_c_compressionLevel, -1);
  int result = sqlite3_open(journal, &importer->connection);
  if (result == SQLITE_OK)
    result = sqlite3_exec(importer->connection,
                          "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                          "CREATE TABLE bodies(id INTEGER PRIMARY KEY, digest BLOB, content BLOB);"
                          "BEGIN",
                          NULL, NULL, NULL);
  if (result == SQLITE_OK)
    result = sqlite3_prepare_v2(importer->connection,
                                "INSERT INTO bodies(digest, content) VALUES (?, ?)", -1,
                                &importer->insert, NULL);
  if (result == SQLITE_OK) result = pass_through(importer, bytes, count);
  if (result == SQLITE_OK)
    result = sqlite3_exec(importer->connection, "COMMIT", NULL, NULL, NULL);
  return result;
}

int tidemark_limit_import(const char *capture, const char *journal, tidemark_limit *result) {
  int file = open(capture, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) return SQLITE_CANTOPEN;
  size_t count = (size_t)status.st_size;
  void *bytes = mmap(NULL, count, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (bytes == MAP_FAILED) return SQLITE_IOERR;
  importer importer = {.result = result};
  int code = import(&importer, journal, bytes, count);
  sqlite3_finalize(importer.insert);
  sqlite3_close(importer.connection);
  ZSTD_freeCCtx(importer.context);
  free(importer.plain);
  free(importer.packed);
  munmap(bytes, count);
  return code;
}

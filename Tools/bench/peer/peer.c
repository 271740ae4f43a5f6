#include "peer.h"

#include <fcntl.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct tidemark_peer {
  sqlite3 *connection;
  sqlite3_stmt *begin, *commit, *insert, *scan;
};

static int prepare(tidemark_peer *peer, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v3(peer->connection, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

static int set_up(tidemark_peer *peer) {
  int result = sqlite3_exec(peer->connection,
                            "PRAGMA journal_mode = WAL;"
                            "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;"
                            "CREATE TABLE IF NOT EXISTS entries("
                            "  seq INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE,"
                            "  payload BLOB NOT NULL) STRICT",
                            NULL, NULL, NULL);
  if (result == SQLITE_OK) result = prepare(peer, "BEGIN IMMEDIATE", &peer->begin);
  if (result == SQLITE_OK) result = prepare(peer, "COMMIT", &peer->commit);
  if (result == SQLITE_OK)
    result = prepare(peer, "INSERT INTO entries(key, payload) VALUES (?, ?)", &peer->insert);
  if (result == SQLITE_OK)
    result = prepare(peer, "SELECT seq, key, payload FROM entries ORDER BY seq", &peer->scan);
  return result;
}

int tidemark_peer_open(const char *path, tidemark_peer **peer) {
  tidemark_peer *opened = calloc(1, sizeof *opened);
  if (!opened) return SQLITE_NOMEM;
  *peer = opened;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  int result = sqlite3_open_v2(path, &opened->connection, flags, NULL);
  return result == SQLITE_OK ? set_up(opened) : result;
}

void tidemark_peer_close(tidemark_peer *peer) {
  if (!peer) return;
  sqlite3_finalize(peer->begin);
  sqlite3_finalize(peer->commit);
  sqlite3_finalize(peer->insert);
  sqlite3_finalize(peer->scan);
  sqlite3_close(peer->connection);
  free(peer);
}

const char *tidemark_peer_message(tidemark_peer *peer) {
  return peer ? sqlite3_errmsg(peer->connection) : "out of memory";
}

int tidemark_peer_durable(tidemark_peer *peer, int durable) {
  const char *sql = durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL";
  return sqlite3_exec(peer->connection, sql, NULL, NULL, NULL);
}

int tidemark_peer_cache(tidemark_peer *peer, int kibibytes) {
  char sql[64];
  snprintf(sql, sizeof sql, "PRAGMA cache_size = -%d", kibibytes);
  return sqlite3_exec(peer->connection, sql, NULL, NULL, NULL);
}

static int run(sqlite3_stmt *statement) {
  int result = sqlite3_step(statement);
  sqlite3_reset(statement);
  return result == SQLITE_DONE ? SQLITE_OK : result;
}

static int insert(tidemark_peer *peer, const unsigned char *bytes, tidemark_peer_row row) {
  sqlite3_bind_blob(peer->insert, 1, bytes + row.key_start, (int)row.key_bytes, SQLITE_STATIC);
  sqlite3_bind_blob(peer->insert, 2, bytes + row.payload_start, (int)row.payload_bytes,
                    SQLITE_STATIC);
  return run(peer->insert);
}

int tidemark_peer_append(tidemark_peer *peer, const unsigned char *bytes,
                         const tidemark_peer_row *rows, size_t count, size_t per_commit,
                         uint64_t *refused) {
  for (size_t start = 0; start < count; start += per_commit) {
    size_t end = count - start < per_commit ? count : start + per_commit;
    int result = run(peer->begin);
    if (result != SQLITE_OK) return result;
    for (size_t index = start; index < end; index++) {
      result = insert(peer, bytes, rows[index]);
      if (result == SQLITE_CONSTRAINT) *refused += 1;
      else if (result != SQLITE_OK) return result;
    }
    result = run(peer->commit);
    if (result != SQLITE_OK) return result;
  }
  return SQLITE_OK;
}

int tidemark_peer_read(tidemark_peer *peer, tidemark_peer_scan *result) {
  int step;
  while ((step = sqlite3_step(peer->scan)) == SQLITE_ROW) {
    const unsigned char *key = sqlite3_column_blob(peer->scan, 1);
    const unsigned char *payload = sqlite3_column_blob(peer->scan, 2);
    int key_bytes = sqlite3_column_bytes(peer->scan, 1);
    int payload_bytes = sqlite3_column_bytes(peer->scan, 2);
    result->rows += 1;
    result->bytes += (uint64_t)(key_bytes + payload_bytes);
    result->sum += (uint64_t)sqlite3_column_int64(peer->scan, 0) + key[0] +
                   payload[payload_bytes - 1];
  }
  sqlite3_reset(peer->scan);
  return step == SQLITE_DONE ? SQLITE_OK : step;
}

int tidemark_peer_sync(int descriptor) {
#ifdef __APPLE__
  return fcntl(descriptor, F_FULLFSYNC);
#else
  return fdatasync(descriptor);
#endif
}

static uint64_t nanoseconds_of(struct timeval time) {
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

int tidemark_peer_run(char *const words[], uint64_t *nanoseconds) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return -1;
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child;
  int result = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (result != 0) return -1;
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status)) return -1;
  *nanoseconds += nanoseconds_of(usage.ru_utime) + nanoseconds_of(usage.ru_stime);
  return WEXITSTATUS(status);
}

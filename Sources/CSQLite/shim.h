#include <errno.h>
#include <sqlite3.h>
#include <string.h>

// `SQLITE_TRANSIENT` is a cast that Swift does not import, and `sqlite3_db_config` takes variable
// arguments, which Swift does not call.

static inline int tidemark_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                     int count) {
  // A blob of no bytes is not NULL.
  if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int tidemark_bind_text(sqlite3_stmt *statement, int index, const char *text,
                                     int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

// What the call of the system that failed last complained of; nothing if none did.
static inline const char *tidemark_system_error(void) { return errno ? strerror(errno) : (char *)0; }

// On closing, the last connection would bring the write-ahead log into the file and delete it.
static inline void tidemark_keep_log(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// The file may come from anybody: its schema is not trusted, pages are checked as they are read,
// and nothing in it may change how SQLite works.
static inline void tidemark_harden(sqlite3 *connection, int readsOnly) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, (int *)0);
  if (readsOnly) tidemark_keep_log(connection);
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 1 << 30);
  sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
}

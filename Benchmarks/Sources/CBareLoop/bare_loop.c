#include "bare_loop.h"

#include <sqlite3.h>
#include <stddef.h>

struct sqlite3 *bare_loop_open(const char *path) {
  sqlite3 *database = NULL;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
    sqlite3_close(database);
    return NULL;
  }
  return database;
}

int64_t bare_loop_run(struct sqlite3 *database, const char *sql, int64_t *sum) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) return -1;
  int64_t rows = 0;
  int64_t total = 0;
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    total += sqlite3_column_int64(statement, 0);
    total += sqlite3_column_int64(statement, 1);
    const unsigned char *key = sqlite3_column_blob(statement, 2);
    int count = sqlite3_column_bytes(statement, 2);
    if (key != NULL && count > 0) total += key[count - 1];
    rows++;
  }
  sqlite3_finalize(statement);
  *sum = total;
  return code == SQLITE_DONE ? rows : -1;
}

void bare_loop_close(struct sqlite3 *database) { sqlite3_close(database); }

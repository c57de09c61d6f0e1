/* Copies the rows of a book into a new one with bare SQLite: the lower bound for an import of the same contacts.

     bare-insert BOOK COPY [triggers]

   The rows are read into memory first. Then one prepared statement for each table inserts them, in one transaction with
   the durability of a book. With `triggers`, the copy has the triggers of the book, set to leave
   versions alone as in an import. Prints the seconds from BEGIN until the file is closed. */

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  char *insert;
  int columns;
  sqlite3_value **values;
  size_t count;
} Table;

static void check(int code, sqlite3 *database) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  fprintf(stderr, "bare-insert: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static void run(sqlite3 *database, const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL), database); }

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), database);
  return statement;
}

static Table read_table(sqlite3 *book, const char *name) {
  Table table = {NULL, 0, NULL, 0};
  char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", name);
  sqlite3_stmt *rows = prepare(book, sql);
  sqlite3_free(sql);
  table.columns = sqlite3_column_count(rows);
  char *marks = sqlite3_mprintf("?");
  for (int column = 1; column < table.columns; column++) {
    char *longer = sqlite3_mprintf("%s, ?", marks);
    sqlite3_free(marks);
    marks = longer;
  }
  table.insert = sqlite3_mprintf("INSERT INTO \"%w\" VALUES (%s)", name, marks);
  sqlite3_free(marks);
  size_t room = 0;
  while (sqlite3_step(rows) == SQLITE_ROW) {
    for (int column = 0; column < table.columns; column++) {
      if (table.count == room) table.values = realloc(table.values, (room = room * 2 + 1024) * sizeof *table.values);
      table.values[table.count++] = sqlite3_value_dup(sqlite3_column_value(rows, column));
    }
  }
  check(sqlite3_finalize(rows), book);
  return table;
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  sqlite3 *book = NULL, *copy = NULL;
  check(sqlite3_open_v2(arguments[1], &book, SQLITE_OPEN_READONLY, NULL), book);
  remove(arguments[2]);
  check(sqlite3_open(arguments[2], &copy), copy);
  run(copy, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536");
  const char *what = count > 3 ? "('table', 'index', 'trigger')" : "('table', 'index')";
  char *sql = sqlite3_mprintf(
      "SELECT sql, type = 'table', name FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%%' "
      "AND type IN %s ORDER BY type <> 'table', rowid", what);
  sqlite3_stmt *schema = prepare(book, sql);
  sqlite3_free(sql);
  Table tables[64];
  int number = 0;
  while (sqlite3_step(schema) == SQLITE_ROW) {
    run(copy, (const char *)sqlite3_column_text(schema, 0));
    if (sqlite3_column_int(schema, 1) && number < 64) {
      const char *name = (const char *)sqlite3_column_text(schema, 2);
      // The rows of the change log are not copied; with `triggers`, new ones are written.
      if (strncmp(name, "results_log", 11) != 0) tables[number++] = read_table(book, name);
    }
  }
  sqlite3_finalize(schema);
  if (count > 3) run(copy, "INSERT OR REPLACE INTO store_info VALUES ('versions_raised', '')");
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  run(copy, "BEGIN IMMEDIATE");
  for (int index = 0; index < number; index++) {
    Table *table = &tables[index];
    sqlite3_stmt *insert = prepare(copy, table->insert);
    for (size_t value = 0; value < table->count; value += table->columns) {
      for (int column = 0; column < table->columns; column++)
        sqlite3_bind_value(insert, column + 1, table->values[value + column]);
      check(sqlite3_step(insert), copy);
      sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
  }
  run(copy, "COMMIT");
  sqlite3_close(copy);
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%.3f\n", (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) / 1e9);
  sqlite3_close(book);
}

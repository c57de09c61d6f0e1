#ifndef BARE_LOOP_H
#define BARE_LOOP_H

#include <stdint.h>

// The lower bound for any list of these rows: C steps through the covering index and reads each column.

struct sqlite3;

// Opens a plain SQLite connection for reading only; NULL if it cannot be opened.
struct sqlite3 *bare_loop_open(const char *path);

// Prepares the query, steps through all rows and returns their number, or -1 after an error. `sum` is computed from
// every column of every row, so that the compiler cannot leave out a read.
int64_t bare_loop_run(struct sqlite3 *database, const char *sql, int64_t *sum);

void bare_loop_close(struct sqlite3 *database);

#endif

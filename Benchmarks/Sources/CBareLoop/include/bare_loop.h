#ifndef BARE_LOOP_H
#define BARE_LOOP_H

#include <stdint.h>

// The least that any list of these rows could cost: C steps through the covering index and looks at each column.

struct sqlite3;

// A connection of SQLite's own making, to read only; NULL when it cannot be opened.
struct sqlite3 *bare_loop_open(const char *path);

// Prepares the query, steps through all rows and returns their number, -1 after an error. `sum` gets something of every
// column of every row, so that nothing can be left out.
int64_t bare_loop_run(struct sqlite3 *database, const char *sql, int64_t *sum);

void bare_loop_close(struct sqlite3 *database);

#endif

#ifndef BARE_LOOP_H
#define BARE_LOOP_H

#include <stdint.h>

// A bare C loop over the rows of a query: the lower bound for the time of any list of them.

struct sqlite3;

// Opens a plain SQLite connection for reading only; NULL if it cannot be opened.
struct sqlite3 *bare_loop_open(const char *path);

// Prepares a query of two integers and a blob, steps through all rows and returns their number, or -1 after an error.
// `sum` uses every value, so that no read is optimized away.
int64_t bare_loop_run(struct sqlite3 *database, const char *sql, int64_t *sum);

void bare_loop_close(struct sqlite3 *database);

#endif

#ifndef C_SQLITE_CLOSING_H
#define C_SQLITE_CLOSING_H

struct sqlite3;

/* Makes a connection leave the write-ahead log alone when it closes, even as the last one. Swift cannot call
   sqlite3_db_config, which is variadic (https://www.sqlite.org/c3ref/c_dbconfig_defensive.html). Returns a SQLite
   result code. */
int sqlite_keep_log_when_closing(struct sqlite3 *connection);

#endif

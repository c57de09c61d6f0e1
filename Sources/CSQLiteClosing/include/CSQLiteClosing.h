#ifndef C_SQLITE_CLOSING_H
#define C_SQLITE_CLOSING_H

struct sqlite3;

/* Has a connection leave the write-ahead log alone when it closes, even as the last one. Swift cannot call
   sqlite3_db_config, whose arguments vary (https://www.sqlite.org/c3ref/c_dbconfig_defensive.html). Returns a code of
   SQLite. */
int sqlite_keep_log_when_closing(struct sqlite3 *connection);

#endif

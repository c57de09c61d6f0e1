#ifndef C_SQLITE_SETTINGS_H
#define C_SQLITE_SETTINGS_H

struct sqlite3;

/* Settings of a connection. Swift cannot call sqlite3_db_config, which is variadic
   (https://www.sqlite.org/c3ref/c_dbconfig_defensive.html). Each returns a SQLite result code. */

/* Makes a connection leave the write-ahead log alone when it closes, even as the last one. */
int sqlite_keep_log_when_closing(struct sqlite3 *connection);

/* Enables or disables triggers for a connection; others still run them. Foreign keys are enforced in either case. */
int sqlite_set_triggers(struct sqlite3 *connection, int are_enabled);

/* Makes a connection plan a statement once, whatever values are bound to it. Otherwise SQLite built with
   SQLITE_ENABLE_STAT4 prepares it again when a value is bound (https://www.sqlite.org/queryplanner-ng.html#qpstab). */
int sqlite_keep_plans(struct sqlite3 *connection);

/* Makes SQLite allocate memory without counting it, and pages of its caches when they are needed, in the whole process;
   does nothing once it has been used (https://www.sqlite.org/c3ref/c_config_covering_index_scan.html). */
void sqlite_simplify_memory(void);

#endif

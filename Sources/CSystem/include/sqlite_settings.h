#ifndef SQLITE_SETTINGS_H
#define SQLITE_SETTINGS_H

struct sqlite3;

/* Settings that Swift cannot make, because sqlite3_db_config and sqlite3_config are variadic
   (https://www.sqlite.org/c3ref/c_dbconfig_defensive.html). Those of a connection return a SQLite result code. */

/* Makes a connection close without a checkpoint, even if it is the last one: the write-ahead log remains. */
int sqlite_keep_log_when_closing(struct sqlite3 *connection);

/* Enables or disables triggers for a connection, but not for others. Foreign keys are enforced in either case. */
int sqlite_set_triggers(struct sqlite3 *connection, int are_enabled);

/* Makes a connection plan a statement once, whatever values are bound to it. Otherwise SQLite built with
   SQLITE_ENABLE_STAT4 prepares it again when a value is bound (https://www.sqlite.org/queryplanner-ng.html#qpstab). */
int sqlite_keep_plans(struct sqlite3 *connection);

/* Makes SQLite, in the whole process, allocate memory without counting it, and allocate the pages of its caches only
   when they are needed; does nothing once SQLite has been used
   (https://www.sqlite.org/c3ref/c_config_covering_index_scan.html). */
void sqlite_simplify_memory(void);

#endif

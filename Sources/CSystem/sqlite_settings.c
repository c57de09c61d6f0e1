#include "sqlite_settings.h"

#include <sqlite3.h>

int sqlite_keep_log_when_closing(struct sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

int sqlite_set_triggers(struct sqlite3 *connection, int are_enabled) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, are_enabled, (int *)0);
}

int sqlite_keep_plans(struct sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_QPSG, 1, (int *)0);
}

void sqlite_simplify_memory(void) {
  /* Refused, and harmless, if SQLite is in use. */
  (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  (void)sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

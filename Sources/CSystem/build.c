#include "build.h"

#include <sqlite3.h>
#include <stddef.h>

/* The Makefile links it into a release: a define would compile everything again after each commit. */
extern const char addressbook_commit[] __attribute__((weak));

const char *addressbook_build_commit(void) { return addressbook_commit; }

const char *addressbook_sqlite_version(void) { return sqlite3_libversion(); }

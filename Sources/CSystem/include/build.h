#ifndef ADDRESSBOOK_BUILD_H
#define ADDRESSBOOK_BUILD_H

/* Returns the commit that a release was built from; NULL for any other build. */
const char *addressbook_build_commit(void);

/* Returns the version of SQLite. */
const char *addressbook_sqlite_version(void);

#endif

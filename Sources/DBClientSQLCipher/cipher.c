// Links SQLCipher into a program, whole and before SQLite: the linker takes SQLCipher's one object from its archive for
// the function that is named here, and then everything that is of the same name in SQLite's shared library comes from
// that object, in whatever order the two stand on the linker's command line.
#include "DBClientSQLCipher.h"

#if __has_include(<sqlcipher/sqlite3.h>)
#include <sqlcipher/sqlite3.h>
#if SQLITE_VERSION_NUMBER < 3038000
#warning "DBClientSQLCipher needs SQLCipher 4.5 or later, of Debian 13 or Ubuntu 24.04; script/sqlcipher builds it on Debian 12"
#endif
#else
#warning "DBClientSQLCipher needs SQLCipher: apt install libsqlcipher-dev libssl-dev, or brew install sqlcipher"
#endif

struct sqlite3;
extern int sqlite3_key_v2(struct sqlite3 *, const char *, const void *, int);

__attribute__((used)) int (*const dbclient_sqlcipher)(struct sqlite3 *, const char *, const void *, int) =
    sqlite3_key_v2;

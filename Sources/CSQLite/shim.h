#if !__has_include(<sqlite3.h>)
#error "DBClientSQLite needs SQLite: apt install libsqlite3-dev, or brew install sqlite"
#endif
#include <sqlite3.h>

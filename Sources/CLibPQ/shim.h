#if !__has_include(<libpq-fe.h>)
#error "DBClientPostgreSQL needs libpq: apt install libpq-dev, or brew install libpq"
#endif
#include <libpq-fe.h>

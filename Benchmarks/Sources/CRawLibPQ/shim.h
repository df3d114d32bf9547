#if !__has_include(<libpq-fe.h>)
#error "The PostgreSQL baseline needs libpq: apt install libpq-dev, or brew install libpq"
#endif
#include <libpq-fe.h>

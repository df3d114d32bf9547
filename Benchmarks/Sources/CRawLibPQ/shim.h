#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#elif __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#error "The PostgreSQL baseline needs libpq: apt install libpq-dev, or brew install libpq"
#endif

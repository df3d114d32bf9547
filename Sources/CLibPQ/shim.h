#if !__has_include(<libpq-fe.h>)
#error "DBClientPostgreSQL needs libpq: apt install libpq-dev, or brew install libpq"
#endif
#include <libpq-fe.h>

// What Swift's own modules of the system leave out.
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

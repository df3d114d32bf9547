// Debian has the header in a folder that only pkg-config names.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#elif __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#error "DBClientPostgreSQL needs libpq: apt install libpq-dev, or brew install libpq"
#endif

// What Swift's own modules of the system leave out.
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

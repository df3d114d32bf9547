#include "calls.h"

#include <unistd.h>

int faults_fork(void) { return fork(); }

#ifdef __linux__
#include <errno.h>
#include <stdatomic.h>
#include <sys/stat.h>

static _Atomic int failing_call = -1;
static _Atomic int failing_error;
static _Atomic long calls_before;
static _Atomic long failed_count;

bool faults_begin(enum faults_call call, long first, int error) {
    failed_count = 0;
    calls_before = first - 1;
    failing_error = error;
    failing_call = call;
    return true;
}

long faults_end(void) {
    failing_call = -1;
    return failed_count;
}

bool faults_fails(enum faults_call call, int file) {
    struct stat status;
    if (failing_call != (int)call) return false;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    if (atomic_fetch_sub(&calls_before, 1) > 0) return false;
    failed_count++;
    errno = failing_error;
    return true;
}

#else

bool faults_begin(enum faults_call call, long first, int error) { return false; }

long faults_end(void) { return 0; }

#endif

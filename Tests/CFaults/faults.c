#define _GNU_SOURCE
#include "CFaults.h"

#include <unistd.h>

int faults_fork(void) { return fork(); }

#ifdef __linux__
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/uio.h>

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

// Whether a call on a file shall fail, and why is in errno.
static bool fails(enum faults_call call, int file) {
    struct stat status;
    if (failing_call != (int)call) return false;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    if (atomic_fetch_sub(&calls_before, 1) > 0) return false;
    failed_count++;
    errno = failing_error;
    return true;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    return fails(faults_write, file) ? -1 : NEXT(pwrite)(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    return fails(faults_write, file) ? -1 : NEXT(pwrite64)(file, bytes, count, offset);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    return fails(faults_write, file) ? -1 : NEXT(writev)(file, parts, count);
}

int fdatasync(int file) {
    return fails(faults_sync, file) ? -1 : NEXT(fdatasync)(file);
}

int fsync(int file) {
    return fails(faults_sync, file) ? -1 : NEXT(fsync)(file);
}

#else

bool faults_begin(enum faults_call call, long first, int error) { return false; }

long faults_end(void) { return 0; }

#endif

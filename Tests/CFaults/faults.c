#define _GNU_SOURCE
#include "calls.h"

#include <sys/resource.h>
#include <unistd.h>

int faults_fork(void) { return fork(); }

bool faults_limit(enum faults_resource resource, unsigned long long limit) {
    struct rlimit limits;
#ifdef __linux__
    int number = resource == faults_descriptors ? RLIMIT_NOFILE
        : resource == faults_file_size ? RLIMIT_FSIZE : RLIMIT_AS;
#else
    // Where there is one for the address space, the system does not keep to it.
    if (resource == faults_address_space) return false;
    int number = resource == faults_descriptors ? RLIMIT_NOFILE : RLIMIT_FSIZE;
#endif
    if (getrlimit(number, &limits) != 0) return false;
    limits.rlim_cur = limit < limits.rlim_max ? limit : limits.rlim_max;
    return setrlimit(number, &limits) == 0;
}

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

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

static _Atomic unsigned taken_calls;

bool faults_take(unsigned calls) {
    taken_calls = calls;
    return true;
}

bool faults_is_taken(enum faults_naming call) { return (taken_calls & call) != 0; }

static _Atomic long times_before_stop;
static _Atomic bool stop_kills;

bool faults_stop(long time, bool kills) {
    stop_kills = kills;
    times_before_stop = time;
    return true;
}

void faults_reach(void) {
    char byte;
    if (times_before_stop == 0 || atomic_fetch_sub(&times_before_stop, 1) != 1) return;
    if (stop_kills) raise(SIGKILL);
    // Past the program's own calls.
    syscall(SYS_write, 1, "waits\n", 6);
    while (read(0, &byte, 1) > 0) {}
}

bool faults_cut_power(const char *folder) {
    // EXT4_IOC_SHUTDOWN, and its flag not to write the journal first.
    unsigned without_journal = 2;
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return false;
    bool is_done = ioctl(file, _IOR('X', 125, unsigned), &without_journal) == 0;
    close(file);
    return is_done;
}

static _Atomic long deadly_place;

bool faults_kill_after_write(long place) {
    deadly_place = place;
    return true;
}

void faults_wrote(off_t place) {
    if (place >= 0 && place < deadly_place) raise(SIGKILL);
}

#else

bool faults_cut_power(const char *folder) { return false; }

bool faults_set_clock(long long seconds) { return false; }

bool faults_kill_after_write(long place) { return false; }

bool faults_begin(enum faults_call call, long first, int error) { return false; }

long faults_end(void) { return 0; }

bool faults_take(unsigned calls) { return false; }

bool faults_stop(long time, bool kills) { return false; }

#endif

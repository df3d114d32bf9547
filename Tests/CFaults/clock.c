// The C library's calls that tell the time of the day, in whose place those of this program are taken, by its shared
// libraries as well.

#ifdef __linux__
#define _GNU_SOURCE
#include "CFaults.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static _Atomic long long offset;

bool faults_set_clock(long long seconds) {
    offset = seconds;
    return true;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static __typeof__(&clock_gettime) next;
    if (!next) next = NEXT(clock_gettime);
    int code = next(clock, time);
    if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += offset;
    return code;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    int code = NEXT(gettimeofday)(time, zone);
    if (code == 0) time->tv_sec += offset;
    return code;
}

time_t time(time_t *result) {
    time_t now = NEXT(time)(NULL) + offset;
    if (result) *result = now;
    return now;
}

#endif

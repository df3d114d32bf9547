// Tells ThreadSanitizer of the locks that it cannot see: on Linux the contended half of Swift's Mutex is in a
// library that was built without it. Loaded before that library, by LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define HANDLE "$s15Synchronization12_MutexHandleV"
#define REAL(type, name) ((type)dlsym(RTLD_NEXT, HANDLE name))

// Absent in programs without the sanitizer, into which this is loaded as well.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(HANDLE "9_lockSlowyys6UInt32VF");
SWIFT bool try_lock_slow(SELF) __asm__(HANDLE "12_tryLockSlowSbyF");
SWIFT void unlock_slow(SELF) __asm__(HANDLE "11_unlockSlowyyF");

SWIFT void lock_slow(uint32_t thread, SELF) {
    REAL(SWIFT void (*)(uint32_t, SELF), "9_lockSlowyys6UInt32VF")(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock_slow(SELF) {
    bool is_locked = REAL(SWIFT bool (*)(SELF), "12_tryLockSlowSbyF")(self);
    if (is_locked && __tsan_acquire) __tsan_acquire(self);
    return is_locked;
}

SWIFT void unlock_slow(SELF) {
    if (__tsan_release) __tsan_release(self);
    REAL(SWIFT void (*)(SELF), "11_unlockSlowyyF")(self);
}

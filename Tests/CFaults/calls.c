// The C library's calls that change files, in whose place those of this program are taken, by its shared
// libraries as well.

#ifdef __linux__
#define _GNU_SOURCE
#include "calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// MARK: Writing

#define WRITING(call, file, parts, count, place)             \
    faults_reach();                                          \
    if (faults_fails(faults_write, file)) return -1;         \
    struct record_turn turn = record_begin_file(file);       \
    ssize_t written = call;                                  \
    int error = errno;                                       \
    if (written > 0) faults_wrote(place);                    \
    record_write(turn, file, parts, written, place);         \
    record_end(turn);                                        \
    errno = error;                                           \
    return written;

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    struct iovec part = {(void *)bytes, count};
    WRITING(NEXT(pwrite)(file, bytes, count, offset), file, &part, 1, offset)
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    struct iovec part = {(void *)bytes, count};
    WRITING(NEXT(pwrite64)(file, bytes, count, offset), file, &part, 1, offset)
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
    WRITING(NEXT(pwritev)(file, parts, count, offset), file, parts, count, offset)
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
    WRITING(NEXT(pwritev64)(file, parts, count, offset), file, parts, count, offset)
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    WRITING(NEXT(writev)(file, parts, count), file, parts, count, -1)
}

// Not made to fail: programs write to more than files with it.
ssize_t write(int file, const void *bytes, size_t count) {
    struct iovec part = {(void *)bytes, count};
    struct record_turn turn = record_begin_file(file);
    ssize_t written = NEXT(write)(file, bytes, count);
    int error = errno;
    record_write(turn, file, &part, written, -1);
    record_end(turn);
    errno = error;
    return written;
}

#define RESIZING(call, file, size)                           \
    faults_reach();                                          \
    struct record_turn turn = record_begin_file(file);       \
    int code = call;                                         \
    int error = errno;                                       \
    if (code == 0) record_resize(turn, size);                \
    record_end(turn);                                        \
    errno = error;                                           \
    return code;

int ftruncate(int file, off_t size) { RESIZING(NEXT(ftruncate)(file, size), file, size) }

int ftruncate64(int file, off64_t size) { RESIZING(NEXT(ftruncate64)(file, size), file, size) }

// MARK: Syncing

#define SYNCING(call, file)                                  \
    faults_reach();                                          \
    if (faults_fails(faults_sync, file)) return -1;          \
    struct record_turn turn = record_begin_file(file);       \
    int code = 0;                                            \
    if (turn.is_held) {                                      \
        record_sync(turn);                                   \
    } else {                                                 \
        code = call;                                         \
    }                                                        \
    record_end(turn);                                        \
    return code;

int fdatasync(int file) { SYNCING(NEXT(fdatasync)(file), file) }

int fsync(int file) { SYNCING(NEXT(fsync)(file), file) }

// MARK: Mapping

void *mmap(void *place, size_t size, int protection, int flags, int file, off_t offset) {
    if (file >= 0 && faults_fails(faults_map, file)) return MAP_FAILED;
    return NEXT(mmap)(place, size, protection, flags, file, offset);
}

void *mmap64(void *place, size_t size, int protection, int flags, int file, off64_t offset) {
    if (file >= 0 && faults_fails(faults_map, file)) return MAP_FAILED;
    return NEXT(mmap64)(place, size, protection, flags, file, offset);
}

// MARK: Names

#define OPENING(call, path, flags)                                                          \
    mode_t mode = 0;                                                                        \
    if (((flags) & O_CREAT) != 0 || ((flags) & O_TMPFILE) == O_TMPFILE) {                   \
        va_list arguments;                                                                  \
        va_start(arguments, flags);                                                         \
        mode = va_arg(arguments, mode_t);                                                   \
        va_end(arguments);                                                                  \
    }                                                                                       \
    if (!((flags) & (O_CREAT | O_TRUNC))) return call;                                      \
    faults_reach();                                                                         \
    struct record_turn turn = record_begin_path(path);                                      \
    bool was_there = turn.is_held && record_exists(path);                                   \
    int file = call;                                                                        \
    int error = errno;                                                                      \
    if (file >= 0) record_open(turn, path, file, was_there, ((flags) & O_TRUNC) != 0);      \
    record_end(turn);                                                                       \
    errno = error;                                                                          \
    return file;

int open(const char *path, int flags, ...) {
    OPENING(NEXT(open)(path, flags, mode), path, flags)
}

int open64(const char *path, int flags, ...) {
    OPENING(NEXT(open64)(path, flags, mode), path, flags)
}

#define RENAMING(call, path, other)                          \
    faults_reach();                                          \
    struct record_turn turn = record_begin_path(path);       \
    int code = call;                                         \
    int error = errno;                                       \
    if (code == 0) record_rename(turn, path, other);         \
    record_end(turn);                                        \
    errno = error;                                           \
    return code;

int rename(const char *path, const char *other) {
    RENAMING(NEXT(rename)(path, other), path, other)
}

int renameat2(int folder, const char *path, int other_folder, const char *other, unsigned flags) {
    if (flags == RENAME_NOREPLACE && faults_is_taken(faults_rename_new)) {
        errno = EINVAL;
        return -1;
    }
    RENAMING(NEXT(renameat2)(folder, path, other_folder, other, flags), path, other)
}

// Not recorded: used only where a name that is free cannot be given by a renaming.
int link(const char *path, const char *other) {
    faults_reach();
    if (faults_is_taken(faults_link)) {
        errno = EPERM;
        return -1;
    }
    return NEXT(link)(path, other);
}

#define REMOVING(call, path)                                 \
    faults_reach();                                          \
    struct record_turn turn = record_begin_path(path);       \
    int code = call;                                         \
    int error = errno;                                       \
    if (code == 0) record_remove(turn, path);                \
    record_end(turn);                                        \
    errno = error;                                           \
    return code;

int unlink(const char *path) { REMOVING(NEXT(unlink)(path), path) }

int unlinkat(int folder, const char *path, int flags) {
    REMOVING(NEXT(unlinkat)(folder, path, flags), path)
}

#endif

#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "CSQLiteFiles.h"

#include <errno.h>
#include <sqlite3.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#ifdef __linux__
#include <fcntl.h>
#include <sys/sysmacros.h>
#endif
#ifdef __APPLE__
#include <dlfcn.h>
#endif

static int64_t nanoseconds(int64_t seconds, int64_t rest) { return seconds * 1000000000 + rest; }

int csqlite_file_at(const char *path, bool with_times, struct csqlite_file *file) {
#if defined(__linux__) && defined(STATX_INO)
    struct statx asked;
    const unsigned mask =
        STATX_TYPE | STATX_MODE | STATX_INO | STATX_SIZE | (with_times ? STATX_MTIME : 0);
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, mask, &asked) == 0) {
        file->device = (uint64_t)makedev(asked.stx_dev_major, asked.stx_dev_minor);
        file->inode = asked.stx_ino;
        file->size = (int64_t)asked.stx_size;
        file->mode = asked.stx_mode;
        file->modified = with_times ? nanoseconds(asked.stx_mtime.tv_sec, asked.stx_mtime.tv_nsec) : 0;
        return 0;
    }
    // Another error is that of a system without such a call, or one that is told to refuse it.
    if (errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP) return errno;
#endif
    struct stat status;
    if (lstat(path, &status) != 0) return errno;
    file->device = (uint64_t)status.st_dev;
    file->inode = (uint64_t)status.st_ino;
    file->size = (int64_t)status.st_size;
    file->mode = (uint32_t)status.st_mode;
#ifdef __APPLE__
    file->modified = nanoseconds(status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec);
#else
    file->modified = nanoseconds(status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
#endif
    if (!with_times) file->modified = 0;
    return 0;
}

int64_t csqlite_free_space(const char *path) {
    struct statvfs system;
    if (statvfs(path, &system) != 0) return -1;
    return (int64_t)system.f_bavail * (int64_t)system.f_frsize;
}

static const char note_name[] = "user.dbclient";

bool csqlite_note(const char *path, char *note, uint64_t size) {
    if (size == 0) return false;
#ifdef __APPLE__
    ssize_t count = getxattr(path, note_name, note, size - 1, 0, XATTR_NOFOLLOW);
#else
    ssize_t count = lgetxattr(path, note_name, note, size - 1);
#endif
    if (count < 0) return false;
    note[count] = 0;
    return true;
}

bool csqlite_set_note(const char *path, const char *note) {
#ifdef __APPLE__
    return setxattr(path, note_name, note, strlen(note), 0, XATTR_NOFOLLOW) == 0;
#else
    return lsetxattr(path, note_name, note, strlen(note), 0) == 0;
#endif
}

#ifdef __linux__
typedef void *(*map_function)(void *, size_t, int, int, int, off_t);
static map_function system_map;

static void *map_allocated(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    if ((protection & PROT_WRITE) != 0 && (flags & MAP_SHARED) != 0) {
        // Not posix_fallocate, which writes where the file system has no such call, and other processes have the
        // pages mapped by then.
        while (fallocate(file, 0, offset, (off_t)size) != 0) {
            if (errno == EINTR) continue;
            if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) return MAP_FAILED;
            break;
        }
    }
    return system_map(address, size, protection, flags, file, offset);
}
#endif

void csqlite_allocate_what_is_mapped(void) {
#ifdef __linux__
    sqlite3_vfs *system = sqlite3_vfs_find(NULL);
    if (system == NULL || system->iVersion < 3 || system->xSetSystemCall == NULL) return;
    map_function present = (map_function)system->xGetSystemCall(system, "mmap");
    if (present == NULL || present == map_allocated) return;
    system_map = present;
    system->xSetSystemCall(system, "mmap", (sqlite3_syscall_ptr)map_allocated);
#endif
}

// SQLite does not have them, so they are not called by name: nothing could be linked without SQLCipher.
#ifdef __APPLE__
typedef int (*key_function)(sqlite3 *, const char *, const void *, int);
static key_function set_key(void) { return (key_function)dlsym(RTLD_DEFAULT, "sqlite3_key_v2"); }
static key_function change_key(void) { return (key_function)dlsym(RTLD_DEFAULT, "sqlite3_rekey_v2"); }
#else
typedef int (*key_function)(sqlite3 *, const char *, const void *, int);
extern int sqlite3_key_v2(sqlite3 *, const char *, const void *, int) __attribute__((weak));
extern int sqlite3_rekey_v2(sqlite3 *, const char *, const void *, int) __attribute__((weak));
static key_function set_key(void) { return sqlite3_key_v2; }
static key_function change_key(void) { return sqlite3_rekey_v2; }
#endif

bool csqlite_has_cipher(void) { return set_key() != NULL && change_key() != NULL; }

int csqlite_set_key(void *connection, const void *key, int32_t size) {
    key_function set = set_key();
    return set == NULL ? SQLITE_MISUSE : set(connection, "main", key, size);
}

int csqlite_change_key(void *connection, const void *key, int32_t size) {
    key_function change = change_key();
    return change == NULL ? SQLITE_MISUSE : change(connection, "main", key, size);
}

void csqlite_switch_on(void *connection, enum csqlite_option option) {
    switch (option) {
    case csqlite_defensive: sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL); break;
    case csqlite_keeps_log: sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL); break;
    }
}

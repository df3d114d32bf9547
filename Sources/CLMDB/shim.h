#if !__has_include(<lmdb.h>)
#error "DBClientObjectStore needs LMDB: apt install liblmdb-dev, or brew install lmdb"
#endif
#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif
#if defined(__linux__) && defined(__GLIBC__)
#include <linux/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#if defined(STATX_NLINK) && defined(SYS_statx)
#define CLMDB_HAS_STATX
#endif
#endif

// What the object store asks of a file before it maps it. Swift's C library modules differ in where
// they put stat and leave statfs out.
struct clmdb_file {
    uint64_t device;
    uint64_t inode;
    int64_t size;
    // How much room it takes on the disk, in bytes.
    int64_t disk_size;
    // How many names it has; none once it was deleted.
    uint64_t names;
    bool is_regular;
    bool is_link;
    // Who may do what with it: the last twelve bits of its mode; zero where only its content was asked for.
    uint32_t permissions;
    // When its content was changed last, in nanoseconds since 1970; zero likewise.
    int64_t modified;
};

static inline void clmdb_fill(struct clmdb_file *file, const struct stat *status) {
    file->device = (uint64_t)status->st_dev;
    file->inode = (uint64_t)status->st_ino;
    file->size = (int64_t)status->st_size;
    file->disk_size = (int64_t)status->st_blocks * 512;
    file->names = (uint64_t)status->st_nlink;
    file->is_regular = S_ISREG(status->st_mode);
    file->is_link = S_ISLNK(status->st_mode);
    file->permissions = (uint32_t)status->st_mode & 07777;
#ifdef __APPLE__
    file->modified = (int64_t)status->st_mtimespec.tv_sec * 1000000000 + status->st_mtimespec.tv_nsec;
#else
    file->modified = (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
#endif
}

// A time that only goes on, to some milliseconds, in nanoseconds; it costs less than one to the nanosecond.
static inline uint64_t clmdb_coarse_time(void) {
    struct timespec now;
#ifdef CLOCK_MONOTONIC_COARSE
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

// The time that a file which is changed now gets, or a later one, in nanoseconds since 1970.
static inline int64_t clmdb_file_time(void) {
    struct timespec now;
#ifdef CLOCK_REALTIME_COARSE
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
#else
    clock_gettime(CLOCK_REALTIME, &now);
#endif
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Fills in what is at a path, without following a link. Returns 0 or the error number.
static inline int clmdb_file_at(const char *path, struct clmdb_file *file) {
    struct stat status;
    if (lstat(path, &status) != 0) return errno;
    clmdb_fill(file, &status);
    return 0;
}

// Fills in what a file is but for its times and permissions. Returns false where the system has no such call, is told
// to refuse it, or finds no file.
//
// On Linux its times are not asked for: from 6.13 on, the write that follows such a question gives the file new
// ones to the nanosecond, and ext4 then has more to write at the next sync.
static inline bool clmdb_ask(int descriptor, const char *path, int flags, struct clmdb_file *file) {
#ifdef CLMDB_HAS_STATX
    struct statx asked;
    const unsigned mask = STATX_TYPE | STATX_INO | STATX_SIZE | STATX_NLINK | STATX_BLOCKS;
    if (syscall(SYS_statx, descriptor, path, flags, mask, &asked) != 0) return false;
    file->device = (uint64_t)makedev(asked.stx_dev_major, asked.stx_dev_minor);
    file->inode = asked.stx_ino;
    file->size = (int64_t)asked.stx_size;
    file->disk_size = (int64_t)asked.stx_blocks * 512;
    file->names = asked.stx_nlink;
    file->is_regular = S_ISREG(asked.stx_mode);
    file->is_link = S_ISLNK(asked.stx_mode);
    file->permissions = 0;
    file->modified = 0;
    return true;
#else
    return false;
#endif
}

// Fills in what is at a path, as far as `clmdb_ask` does, without following a link. Returns 0 or the error number.
static inline int clmdb_identity_at(const char *path, struct clmdb_file *file) {
    // Where the path is relative, from the working directory; a link itself, by linux/fcntl.h.
    if (clmdb_ask(AT_FDCWD, path, 0x100, file)) return 0;
    return clmdb_file_at(path, file);
}

// Fills in what an open file is, as far as `clmdb_ask` does. Returns 0 or the error number.
static inline int clmdb_file_of(int descriptor, struct clmdb_file *file) {
    // The file of the descriptor itself, by linux/fcntl.h.
    if (clmdb_ask(descriptor, "", 0x1000, file)) return 0;
    struct stat status;
    if (fstat(descriptor, &status) != 0) return errno;
    clmdb_fill(file, &status);
    return 0;
}

// Opens a file to be read, or to be read and written, and fills in what it is. A link is not followed, and nothing
// waits for the other end of a pipe. Returns 0 or the error number: EINVAL for what is no regular file.
static inline int clmdb_open(const char *path, bool writes, bool makes, int *descriptor, struct clmdb_file *file) {
    const int flags = (writes ? O_RDWR : O_RDONLY) | (makes ? O_CREAT : 0) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int opened = open(path, flags, 0600);
    if (opened < 0) return errno;
    struct stat status;
    if (fstat(opened, &status) != 0) {
        int error = errno;
        close(opened);
        return error;
    }
    clmdb_fill(file, &status);
    if (!file->is_regular) {
        close(opened);
        return EINVAL;
    }
    *descriptor = opened;
    return 0;
}

#ifdef __linux__
// Declared here because fcntl.h does so on demand alone.
extern int fallocate(int, int, off_t, off_t);
#endif

// Gives the room of a part of an open file back to the file system; it reads as zeros from then on, and the file keeps
// its size. Returns 0 or the error number: EOPNOTSUPP where the file system has no such thing.
static inline int clmdb_punch(int descriptor, off_t start, off_t size) {
#if defined(__linux__)
    // By linux/falloc.h: the size is kept, a hole is made.
    return fallocate(descriptor, 3, start, size) == 0 ? 0 : errno;
#elif defined(__APPLE__)
    struct fpunchhole hole = {0, 0, start, size};
    return fcntl(descriptor, F_PUNCHHOLE, &hole) == 0 ? 0 : errno;
#else
    (void)descriptor, (void)start, (void)size;
    return EOPNOTSUPP;
#endif
}

// Makes an open file at least so long, each of its bytes with a place on the disk. Returns 0 or the error number:
// ENOSPC where there is no room.
static inline int clmdb_allocate(int descriptor, off_t size) {
    int code = 0;
#ifdef __linux__
    if (fallocate(descriptor, 0, 0, size) == 0) return 0;
    if (errno != EOPNOTSUPP && errno != ENOSYS) return errno;
#endif
    // One process at a time lengthens the file, so that no zero is written over what another has begun to use.
    while (flock(descriptor, LOCK_EX) != 0) {
        if (errno != EINTR) break;
    }
    off_t end = lseek(descriptor, 0, SEEK_END);
    static const char zeros[4096];
    while (code == 0 && end < size) {
        size_t count = (size_t)(size - end) < sizeof zeros ? (size_t)(size - end) : sizeof zeros;
        ssize_t written = pwrite(descriptor, zeros, count, end);
        if (written > 0) end += written;
        else if (written == 0) code = ENOSPC;
        else if (errno != EINTR) code = errno;
    }
    flock(descriptor, LOCK_UN);
    return end < 0 ? errno : code;
}

// How large this process may make a file, in bytes.
static inline uint64_t clmdb_file_size_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 ? (uint64_t)limit.rlim_cur : UINT64_MAX;
}

// Tells whether the address space has room for so many bytes, at an address where one is given.
static inline bool clmdb_has_room(uintptr_t address, size_t size) {
    void *found = mmap((void *)address, size, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED) return false;
    munmap(found, size);
    return address == 0 || (uintptr_t)found == address;
}

// Tells whether a folder is on a file system over a network: NFS, SMB, CIFS, SMB2, AFS, by the
// numbers of linux/magic.h. Elsewhere it says no.
static inline bool clmdb_is_remote(const char *folder) {
#ifdef __linux__
    struct statfs system;
    if (statfs(folder, &system) != 0) return false;
    switch ((uint32_t)system.f_type) {
    case 0x6969: case 0x517B: case 0xFF534D42: case 0xFE534D42: case 0x5346414F: return true;
    default: return false;
    }
#else
    (void)folder;
    return false;
#endif
}

// Two conditions: where there is no such macro, a call of it is no condition even behind one that is false.
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 28)
#define CLMDB_HAS_RENAMEAT2
// Declared here because stdio.h does so on demand alone.
extern int renameat2(int, const char *, int, const char *, unsigned int);
#endif
#endif

// Whether an error says that the system or the file system has no such call.
static inline bool clmdb_is_missing(int error) {
    return error == EINVAL || error == ENOSYS || error == ENOTSUP || error == EPERM || error == EACCES;
}

// Gives a file a name that nothing has, which a second call with that name at the same time finds taken. Where
// that can be done by a link alone, the file keeps its old name as well. Returns 0 or the error number: EEXIST
// where something has the name, ENOTSUP where it cannot be told.
static inline int clmdb_rename_new(const char *path, const char *name) {
    int code = -1;
    errno = ENOSYS;
#if defined(__APPLE__)
    code = renamex_np(path, name, RENAME_EXCL);
#elif defined(CLMDB_HAS_RENAMEAT2)
    // The current folder's number, and "do not replace", by linux/fs.h.
    code = renameat2(-100, path, -100, name, 1);
#endif
    if (code != 0 && clmdb_is_missing(errno)) code = link(path, name);
    if (code == 0) return 0;
    return clmdb_is_missing(errno) ? ENOTSUP : errno;
}

// Has the processor fetch what will be read soon. Any address will do; a wrong one costs the fetch.
static inline void clmdb_prefetch(const void *address) {
    __builtin_prefetch(address);
}

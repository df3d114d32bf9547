#if !__has_include(<lmdb.h>)
#error "DBClientObjectStore needs LMDB: apt install liblmdb-dev, or brew install lmdb"
#endif
#include <errno.h>
#include <lmdb.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
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
    // How many names it has; none once it was deleted.
    uint64_t names;
    bool is_regular;
    bool is_link;
};

static inline void clmdb_fill(struct clmdb_file *file, const struct stat *status) {
    file->device = (uint64_t)status->st_dev;
    file->inode = (uint64_t)status->st_ino;
    file->size = (int64_t)status->st_size;
    file->names = (uint64_t)status->st_nlink;
    file->is_regular = S_ISREG(status->st_mode);
    file->is_link = S_ISLNK(status->st_mode);
}

// Fills in what is at a path, without following a link. Returns 0 or the error number.
static inline int clmdb_file_at(const char *path, struct clmdb_file *file) {
    struct stat status;
    if (lstat(path, &status) != 0) return errno;
    clmdb_fill(file, &status);
    return 0;
}

// Fills in what an open file is. Returns 0 or the error number.
//
// On Linux its times are not asked for: from 6.13 on, the write that follows such a question gives the file new
// ones to the nanosecond, and ext4 then has more to write at the next sync.
static inline int clmdb_file_of(int descriptor, struct clmdb_file *file) {
#ifdef CLMDB_HAS_STATX
    struct statx asked;
    const unsigned mask = STATX_TYPE | STATX_INO | STATX_SIZE | STATX_NLINK;
    // The file of the descriptor itself, by linux/fcntl.h.
    if (syscall(SYS_statx, descriptor, "", 0x1000, mask, &asked) == 0) {
        file->device = (uint64_t)makedev(asked.stx_dev_major, asked.stx_dev_minor);
        file->inode = asked.stx_ino;
        file->size = (int64_t)asked.stx_size;
        file->names = asked.stx_nlink;
        file->is_regular = S_ISREG(asked.stx_mode);
        file->is_link = S_ISLNK(asked.stx_mode);
        return 0;
    }
    // A system that has no such call, or is told to refuse it.
#endif
    struct stat status;
    if (fstat(descriptor, &status) != 0) return errno;
    clmdb_fill(file, &status);
    return 0;
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

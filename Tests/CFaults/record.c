// A record of what a program does to the files of a folder.

#define _GNU_SOURCE
#include "calls.h"

#ifdef __linux__
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t turns = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int record_file = -1;
static char folder[4096];
static size_t folder_size;

bool record_begin(const char *path, const char *record) {
    folder_size = strlen(path);
    if (folder_size >= sizeof folder) return false;
    memcpy(folder, path, folder_size + 1);
    record_file = open(record, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    return record_file >= 0;
}

// The name of a file in the folder; null for any other, and for one that is left out.
static const char *name_of(const char *path) {
    static const char *const left_out[] = {"-lock", "-shm", " (deleted)"};
    size_t size = strlen(path);
    if (size <= folder_size + 1 || memcmp(path, folder, folder_size) != 0) return NULL;
    if (path[folder_size] != '/' || strchr(path + folder_size + 1, '/')) return NULL;
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        size_t end = strlen(left_out[i]);
        if (size > end && strcmp(path + size - end, left_out[i]) == 0) return NULL;
    }
    return path + folder_size + 1;
}

// The calls of all threads and processes that are recorded are done one after another.
static void take_turn(void) {
    pthread_mutex_lock(&turns);
    while (flock(record_file, LOCK_EX) != 0) {}
}

void record_end(struct record_turn turn) {
    if (!turn.is_held) return;
    flock(record_file, LOCK_UN);
    pthread_mutex_unlock(&turns);
}

struct record_turn record_begin_file(int file) {
    struct record_turn turn = {0};
    if (record_file < 0) return turn;
    struct stat status;
    if (fstat(file, &status) != 0) return turn;
    turn.is_folder = S_ISDIR(status.st_mode);
    if (!turn.is_folder && !S_ISREG(status.st_mode)) return turn;
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return turn;
    path[size] = 0;
    if (turn.is_folder ? strcmp(path, folder) != 0 : !name_of(path)) return turn;
    turn.file = status.st_ino;
    turn.is_held = true;
    take_turn();
    return turn;
}

struct record_turn record_begin_path(const char *path) {
    struct record_turn turn = {0};
    if (record_file < 0 || !name_of(path)) return turn;
    turn.is_held = true;
    take_turn();
    return turn;
}

bool record_exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

// Writes past the program's own calls.
static void put(const void *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = syscall(SYS_write, record_file, bytes, size);
        if (written <= 0) abort();
        bytes = (const char *)bytes + written;
        size -= (size_t)written;
    }
}

static void put_entry(uint32_t kind, uint64_t file, int64_t place, const char *name, uint64_t size) {
    struct record_entry entry = {kind, name ? (uint32_t)strlen(name) : 0, file, place, size};
    put(&entry, sizeof entry);
    if (name) put(name, entry.name_size);
}

void record_write(struct record_turn turn, int file, const struct iovec *parts, ssize_t count, off_t place) {
    if (!turn.is_held || count <= 0) return;
    // The file stands behind what was written.
    if (place < 0) place = lseek(file, 0, SEEK_CUR) - count;
    bool is_durable = (fcntl(file, F_GETFL) & (O_DSYNC | O_SYNC)) != 0;
    put_entry(is_durable ? record_written_durably : record_written, turn.file, place, NULL, (uint64_t)count);
    for (size_t left = (size_t)count; left > 0; parts++) {
        size_t size = parts->iov_len < left ? parts->iov_len : left;
        put(parts->iov_base, size);
        left -= size;
    }
}

void record_resize(struct record_turn turn, off_t size) {
    if (turn.is_held) put_entry(record_resized, turn.file, size, NULL, 0);
}

void record_sync(struct record_turn turn) {
    if (turn.is_held) put_entry(turn.is_folder ? record_folder_synced : record_synced, turn.file, 0, NULL, 0);
}

void record_open(struct record_turn turn, const char *path, int file, bool was_there, bool is_emptied) {
    struct stat status;
    if (!turn.is_held || fstat(file, &status) != 0) return;
    if (!was_there) {
        put_entry(record_made, status.st_ino, 0, name_of(path), 0);
    } else if (is_emptied) {
        put_entry(record_resized, status.st_ino, 0, NULL, 0);
    }
}

void record_remove(struct record_turn turn, const char *path) {
    if (turn.is_held) put_entry(record_removed, 0, 0, name_of(path), 0);
}

void record_rename(struct record_turn turn, const char *path, const char *other) {
    if (!turn.is_held) return;
    const char *name = name_of(other);
    if (!name) {
        put_entry(record_removed, 0, 0, name_of(path), 0);
        return;
    }
    put_entry(record_renamed, 0, 0, name_of(path), strlen(name));
    put(name, strlen(name));
}

void record_note(uint64_t first, int64_t second) {
    struct record_turn turn = {.is_held = record_file >= 0};
    if (!turn.is_held) return;
    take_turn();
    put_entry(record_noted, first, second, NULL, 0);
    record_end(turn);
}

#else

bool record_begin(const char *folder, const char *record) { return false; }

void record_note(uint64_t first, int64_t second) {}

#endif

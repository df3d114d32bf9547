#pragma once
#include "CFaults.h"

#include <sys/types.h>
#include <sys/uio.h>

/// Whether a call on a file shall fail, and why is in errno.
bool faults_fails(enum faults_call call, int file);

/// Whether a call was taken away.
bool faults_is_taken(enum faults_naming call);

/// Counts a call that changes a file or a name, and stops this program where it shall be stopped before it.
void faults_reach(void);

/// Ends this program where it shall end right after what was written to a place.
void faults_wrote(off_t place);

/// What a call is done under: held from before the call to after its record.
struct record_turn {
    /// Whether the call is recorded at all.
    bool is_held;
    bool is_folder;
    uint64_t file;
};

/// Begins a call on an open file.
struct record_turn record_begin_file(int file);

/// Begins a call on a name, which may not be there.
struct record_turn record_begin_path(const char *path);

/// Whether there is something of a name.
bool record_exists(const char *path);

void record_write(struct record_turn, int file, const struct iovec *parts, ssize_t count, off_t place);
void record_resize(struct record_turn, off_t size);
void record_sync(struct record_turn);
void record_open(struct record_turn, const char *path, int file, bool was_there, bool is_emptied);
void record_remove(struct record_turn, const char *path);
void record_rename(struct record_turn, const char *path, const char *other);

void record_end(struct record_turn);

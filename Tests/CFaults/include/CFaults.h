#pragma once
#include <stdbool.h>
#include <stdint.h>

/// The calls that can be made to fail.
enum faults_call { faults_write, faults_sync, faults_map };

/// Makes the calls on files of this program fail, those of its shared libraries as well, until `faults_end`.
///
/// The one with a number fails, counted from 1, and all later ones. Returns false where calls cannot be made to
/// fail: only Linux lets a program's function take the place of a library's by its name.
bool faults_begin(enum faults_call call, long first, int error);

/// Lets calls succeed again and returns how many failed.
long faults_end(void);

/// The calls that give a file a name which nothing has.
enum faults_naming { faults_rename_new = 1, faults_link = 2 };

/// Has calls fail from here on as on a file system without them: a sum of `faults_naming`.
///
/// Returns false where they cannot be made to fail.
bool faults_take(unsigned calls);

/// Ends this program before it changes a file or a name for the time with a number, counted from 1 from here on,
/// as a kill does, or has it print the line "waits" and wait for the end of its input; at zero neither.
///
/// Returns false where that cannot be done.
bool faults_stop(long time, bool kills);

/// Ends this program, as a kill does, right after it has written to the first bytes of a file, so many, and before it
/// does anything else.
///
/// Returns false where that cannot be done.
bool faults_kill_after_write(long place);

/// What a record tells of, with the numbers of an entry that go with it.
enum record_kind {
    /// A file was made: its number and its name.
    record_made = 1,
    /// Bytes were written: the file's number, the place, the bytes.
    record_written = 2,
    /// Bytes were written by a call that returned only when they were durable.
    record_written_durably = 3,
    /// The file's size was set: its number, and the size as the place.
    record_resized = 4,
    /// What was written to a file is durable from here on: its number.
    record_synced = 5,
    /// The names in the folder are durable from here on.
    record_folder_synced = 6,
    /// A name was removed.
    record_removed = 7,
    /// A file has another name: the old one, a zero byte, and the new one as the bytes.
    record_renamed = 8,
    /// The program noted something: two numbers, as the file's and the place.
    record_noted = 9,
};

/// How an entry of a record begins; its name and its bytes follow.
struct record_entry {
    uint32_t kind;
    uint32_t name_size;
    uint64_t file;
    int64_t place;
    uint64_t size;
};

/// Records what this program does to the files of a folder from here on, in the order in which it was done,
/// at the end of a file, which other processes may write to as well.
///
/// Syncs are recorded and not done. What is mapped is not recorded, so files that end in `-lock` or `-shm`,
/// which are of no use after a power cut, are left out. Returns false where nothing can be recorded, as
/// everywhere but on Linux.
bool record_begin(const char *folder, const char *record);

/// Writes two numbers of the program's own into the record.
void record_note(uint64_t first, int64_t second);

/// Cuts the power of the file system of a folder, as far as its kernel can: nothing that is not on the disk by now gets
/// there.
///
/// Returns false where that cannot be done: only ext4 can, for a privileged program.
bool faults_cut_power(const char *folder);

/// Has the clock of the day, but not the one that only goes forward, be off by some seconds for this program and its
/// shared libraries.
///
/// Returns false where that cannot be done.
bool faults_set_clock(long long seconds);

/// The system's call, which Swift hides on some platforms.
int faults_fork(void);

/// What a process can be limited in.
enum faults_resource { faults_descriptors, faults_address_space, faults_file_size };

/// Limits this program, as far as it may at most be, and returns false where that cannot be done.
bool faults_limit(enum faults_resource resource, unsigned long long limit);

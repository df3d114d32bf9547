#pragma once
#include <stdbool.h>
#include <stdint.h>

// What the SQLite client asks of the system and of SQLite that Swift cannot: calls that Swift does not import, and
// functions with a variable number of arguments.

/// What is at a path.
struct csqlite_file {
    uint64_t device;
    uint64_t inode;
    int64_t size;
    /// The kind and the permissions, as in `st_mode`.
    uint32_t mode;
    /// When it was written to, in nanoseconds; zero where that was not asked for.
    int64_t modified;
};

/// Fills in what is at a path, without following a link. Returns 0 or the error number.
///
/// On Linux its times are asked for only where they are wanted: from 6.13 on, the write that follows such a question
/// gives the file new ones to the nanosecond, and ext4 then has more to write at the next sync.
int csqlite_file_at(const char *path, bool with_times, struct csqlite_file *file);

/// Returns how many bytes the file system of a path has left for this process; -1 when that is not known.
int64_t csqlite_free_space(const char *path);

/// Reads the note that a file has as an extended attribute, as zero-terminated text; false where it has none of that
/// length at most.
bool csqlite_note(const char *path, char *note, uint64_t size);

/// Gives a file such a note, which changes neither its content nor the time of its last change; false where the file
/// system has no extended attributes, or refuses.
bool csqlite_set_note(const char *path, const char *note);

/// Has every file that SQLite maps for writing get its blocks from the disk before it is mapped, in this process
/// and on Linux: a page that has none when it is first written to ends the process with SIGBUS on a full disk.
void csqlite_allocate_what_is_mapped(void);

/// Whether the program has SQLCipher in the place of SQLite, which the product DBClientSQLCipher sees to.
bool csqlite_has_cipher(void);

/// Gives a connection, a `sqlite3 *`, the key of its file before anything is read. Returns SQLite's code.
int csqlite_set_key(void *connection, const void *key, int32_t size);

/// Writes every page of a connection's file anew under another key, in one transaction. Returns SQLite's code, which
/// does not tell whether that was done: SQLCipher has it be SQLITE_OK whatever happens.
int csqlite_change_key(void *connection, const void *key, int32_t size);

/// What can be switched on for a connection.
enum csqlite_option {
    /// No statement writes to the file's internals.
    csqlite_defensive,
    /// The last connection that is closed leaves the write-ahead log as it is.
    csqlite_keeps_log,
};

/// Switches an option on for a connection, a `sqlite3 *`.
void csqlite_switch_on(void *connection, enum csqlite_option option);

import CSQLiteFiles

/// What a client notes of a file that it closes, in an extended attribute of the file: that it was sound, and by what
/// to tell whether anything has written to it since.
///
/// A copy of the file has another number, whether or not it has the note. Where the file system keeps no attributes,
/// a file counts as changed.
struct SQLiteFileNote: Equatable {
    private let text: String

    /// What the note of the file at a path would say now; nil where there is none.
    init?(_ path: String) {
        var file = csqlite_file()
        guard csqlite_file_at(path, true, &file) == 0 else { return nil }
        text = "1 \(file.inode) \(file.size) \(file.modified)"
    }

    /// Whether the file at a path has just this note.
    func isKept(at path: String) -> Bool {
        var note = [CChar](repeating: 0, count: 128)
        guard csqlite_note(path, &note, UInt64(note.count)) else { return false }
        return note.withUnsafeBufferPointer { note in
            note.baseAddress.map { String(cString: $0) } == text
        }
    }

    /// Keeps the note with the file at a path, if that can be.
    func keep(at path: String) {
        _ = csqlite_set_note(path, text)
    }
}

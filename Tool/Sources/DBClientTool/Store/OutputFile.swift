import Foundation

/// What is at a path where a command is about to make a file.
enum OutputFile {
    /// Whether there is anything at a path, also a link that leads nowhere.
    static func exists(_ path: String) -> Bool { mode(path) != nil }

    /// Throws where a path has something that a file of text must not replace: a store, a folder, a link or a device.
    ///
    /// - Throws: ``ToolError`` with what is there.
    static func checkReplaceable(_ path: String) throws {
        guard let mode = mode(path) else { return }
        guard mode & S_IFMT == S_IFREG else {
            throw ToolError("The output must be a regular file or none; \(path) is something else.")
        }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw ToolError("The file \(path) must be readable, since a store is not replaced.")
        }
        defer { try? file.close() }
        let start = try file.read(upToCount: 32) ?? Data()
        guard StoreAddress.engine(ofFileThatBegins: start) == nil else {
            throw ToolError("The output must not replace a store; \(path) is one.")
        }
    }

    /// Throws where a new SQLite file would find the log of another one, which SQLite would play back into it.
    ///
    /// - Throws: ``ToolError`` with the file that is in the way.
    static func checkNoLog(beside path: String) throws {
        for log in ["-wal", "-shm", "-journal"].map({ path + $0 }) where exists(log) {
            throw ToolError(
                "The file \(log) must not exist, since SQLite would play it back into the new file.",
                hint: "It is of a file that was there before: move it away, or take another name."
            )
        }
    }

    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }
}

import CSQLiteFiles
import DBClientCore
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The files of a store that is open, by which it is noticed that one of them was deleted or replaced.
///
/// SQLite goes on writing into a file that has lost its name, and what is committed there is lost. Where another
/// file has the name, the write-ahead log beside it would be applied to that one by whichever program opens it next.
final class SQLiteStoreFiles: Sendable {
    /// The identity of a file, whatever name it has.
    struct ID: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ file: csqlite_file) {
            device = file.device
            inode = file.inode
        }
    }

    /// The reason why what is written to a file is lost.
    private enum Loss {
        /// Another file has its name, or none has.
        case renamed
        /// Its content was written by another program than SQLite.
        case overwritten
    }

    private struct State {
        var loss: Loss?
        var content: SQLiteContent?
        var isClosed = false
    }

    /// The name of a file, also as the system takes it: every write asks for it.
    private struct Name {
        let path: String
        let cString: ContiguousArray<CChar>
        let id: ID

        init(_ path: String, _ id: ID) {
            self.path = path
            self.id = id
            cString = path.utf8CString
        }

        /// Whether the file is under its name.
        var isThere: Bool {
            var file = csqlite_file()
            let code = cString.withUnsafeBufferPointer {
                csqlite_file_at($0.baseAddress, false, &file)
            }
            return code == 0 && ID(file) == id
        }
    }

    let id: ID
    private let path: String
    /// The file, and those beside it that stay as long as it is open.
    private let names: [Name]
    private var companions: ArraySlice<Name> { names.dropFirst() }
    private let state: Mutex<State>
    /// Whether the file was sound when it was opened.
    private let isSound: Bool

    /// Takes note of the files of a connection that has read from its store.
    ///
    /// - Throws: `.io` when they were replaced since SQLite opened them.
    init(_ path: String, _ connection: SQLiteConnection, hasLog: Bool, isSound: Bool) throws {
        self.path = path
        self.isSound = isSound
        guard let id = Self.id(path) else { throw Self.lost }
        self.id = id
        names =
            try [Name(path, id)]
            + (hasLog ? ["-wal", "-shm"] : []).map { suffix in
                guard let id = Self.id(path + suffix) else { throw Self.lost }
                return Name(path + suffix, id)
            }
        if connection.handle.hasMoved { throw Self.lost }
        state = Mutex(State(content: SQLiteContent(path, connection.handle, hasLog: hasLog)))
        Self.open.withLock { open in
            open.removeAll { $0.files == nil }
            open.append(WeakFiles(files: self))
        }
    }

    /// Returns what is at a path, if anything is.
    static func id(_ path: String) -> ID? {
        var file = csqlite_file()
        return csqlite_file_at(path, false, &file) == 0 ? ID(file) : nil
    }

    private static func isThere(_ path: String, _ id: ID) -> Bool { self.id(path) == id }

    /// Whether a file was found to be deleted, moved or replaced.
    var isLost: Bool { state.withLock { $0.loss != nil } }

    /// Whether the log may be copied into the file that is open: not where that has other content by now, or another
    /// log whose pages these would replace.
    var takesLog: Bool {
        if state.withLock({ $0.loss == .overwritten }) { return false }
        return !Self.isThere(path, id)
            || companions.allSatisfy { Self.id($0.path) == nil || $0.isThere }
    }

    /// Throws where a new connection would open other files.
    func checkBeforeOpening() throws {
        for suffix in SQLiteFile.suffixes { try SQLiteFile.check(path + suffix) }
        try checkNames()
    }

    /// Throws `.io` when a file was deleted or replaced.
    func checkNames() throws {
        try state.withLock { try checkNames(&$0) }
    }

    private func checkNames(_ state: inout State) throws {
        if state.loss == nil, !hasNames { state.loss = .renamed }
        if state.loss != nil { throw Self.lost }
    }

    private var hasNames: Bool {
        names.allSatisfy(\.isThere)
    }

    /// Checks that the files and their content are those of the store.
    ///
    /// - Parameter connection: A connection that nothing else uses meanwhile.
    /// - Throws: `.io` when a file was deleted or replaced, or its content.
    func check(_ connection: SQLiteHandle) throws {
        try state.withLock { state in
            try checkNames(&state)
            guard let known = state.content else {
                state.content = SQLiteContent(path, connection, hasLog: !companions.isEmpty)
                return
            }
            let hasLog = known.log != nil
            var found = SQLiteContent(path, connection, hasLog: hasLog)
            if found.map(known.canBecome) != true {
                // What was read while another process copied a log may be half of the old and half of the new.
                usleep(2_000)
                found = SQLiteContent(path, connection, hasLog: hasLog)
                if found.map(known.canBecome) != true {
                    state.loss = .overwritten
                    throw Self.lost
                }
            }
            state.content = found
        }
    }

    /// Looks at the content again where a commit has restarted the log, after which the next look could not tell
    /// whether all of the earlier log was copied, and the file written to.
    ///
    /// - Parameter connection: The one that committed.
    func didCommit(_ connection: SQLiteHandle) {
        let isAnew = state.withLock { state in
            guard let known = state.content?.log, let log = SQLiteLogMarks(connection) else {
                return false
            }
            return log.salt != known.salt
        }
        if isAnew { try? check(connection) }
    }

    /// Notes that the files were closed: other files may have their numbers from then on.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// Notes with the file that it is sound, once SQLite has closed it.
    func noteThatSound() {
        if isSound, !isLost, Self.isThere(path, id) { SQLiteFileNote(path)?.keep(at: path) }
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Removes the log and its index from beside another file, to which they do not belong.
    func removeCompanions() {
        for companion in companions where companion.isThere {
            unlink(companion.path)
        }
    }

    private static var lost: DBClientError {
        DBClientError(
            .io,
            "The store's file was deleted, moved or replaced while it was open.",
            hint: "Close every client of the store in this process and open it again."
        )
    }
}

// MARK: - Opening beside what is open

extension SQLiteStoreFiles {
    private struct WeakFiles {
        weak var files: SQLiteStoreFiles?
    }

    private static let open = Mutex<[WeakFiles]>([])

    /// Whether a client of this process has the file at a path open, which was checked then.
    static func isOpen(_ path: String) -> Bool {
        let id = id(path)
        return open.withLock { $0.compactMap(\.files) }.contains { $0.id == id && !$0.isClosed }
    }

    /// Throws when this process has the file open under a name that it had before, beside which its log is, and when
    /// the log beside it belongs to another that this process has open, and that had its name before.
    static func checkCompanions(_ path: String) throws {
        let id = id(path)
        let beside = ["-wal", "-shm"].compactMap { self.id(path + $0) }
        let isTaken = open.withLock { $0.compactMap(\.files) }.contains { files in
            if files.isClosed { return false }
            if files.id == id { return !Self.isThere(files.path, files.id) }
            return files.companions.contains { beside.contains($0.id) }
        }
        guard isTaken else { return }
        throw DBClientError(
            .invalidRequest,
            "The store's file was deleted, moved or replaced while this process had it open.",
            hint: "Close every client that was opened before, then open the store again."
        )
    }
}

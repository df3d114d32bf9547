import CLMDB
import DBClientCore
import Synchronization

/// The engines that are open in this process, by file.
///
/// LMDB's locks break when a process opens one file twice, so clients of one file share its engine,
/// and it closes with the last of them.
enum EnvironmentRegistry {
    private struct Entry {
        let engine: ObjectStoreEngine
        let options: Environment.Options
        var clientCount: Int
    }

    private struct FileID: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private static let entries = Mutex<[FileID: Entry]>([:])

    static func open(_ path: String, _ options: Environment.Options) throws -> ObjectStoreEngine {
        try entries.withLock { entries in
            if let id = fileID(path), var entry = entries[id] {
                guard entry.options == options else {
                    throw DBClientError(
                        .invalidRequest,
                        "The store is open in this process with other options."
                    )
                }
                entry.clientCount += 1
                entries[id] = entry
                return entry.engine
            }
            let engine = ObjectStoreEngine(try Environment(path: path, options))
            guard let id = fileID(path) else {
                throw DBClientError(.io, "The store's file vanished while it was opened.")
            }
            entries[id] = Entry(engine: engine, options: options, clientCount: 1)
            return engine
        }
    }

    /// Lets go of an engine once; the last client closes it.
    static func close(_ engine: ObjectStoreEngine) {
        entries.withLock { entries in
            guard let (id, entry) = entries.first(where: { $0.value.engine === engine }) else {
                return
            }
            if entry.clientCount > 1 {
                entries[id]?.clientCount -= 1
            } else {
                engine.shutDown()
                entries[id] = nil
            }
        }
    }

    private static func fileID(_ path: String) -> FileID? {
        var file = clmdb_file()
        guard clmdb_file_at(path, &file) == 0 else { return nil }
        return FileID(device: file.device, inode: file.inode)
    }
}

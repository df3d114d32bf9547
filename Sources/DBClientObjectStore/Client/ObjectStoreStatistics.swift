import CLMDB
import DBClientCore

/// The size of a store, and the readers that keep it from reusing its space.
///
/// A page of a row that was changed or deleted is reused once no reader has a snapshot with it: as long as one
/// reader stays, every write makes the file longer.
public struct ObjectStoreStatistics: Sendable, Equatable {
    /// A snapshot that is being read.
    public struct Reader: Sendable, Equatable {
        /// The id of the process that reads.
        public var process: UInt64
        /// How many commits came after the snapshot.
        public var commitsBehind: Int
    }

    /// The journal of commits, which processes write while other ones observe the store.
    public struct Journal: Sendable, Equatable {
        /// How many entries it has, one for each commit of an observed entity.
        public var entryCount: Int
        /// The size of the entries, in bytes of pages of the file.
        public var size: Int
        /// How many commits came after that of the oldest entry; nil where there is no entry.
        public var commitsSinceOldest: Int?
    }

    /// The size of the file, in bytes.
    public var fileSize: Int
    /// The space that the file takes on the disk, in bytes: less than its size once ``ObjectStoreDBClient/compact()``
    /// has returned the free pages within it.
    public var diskSize: Int
    /// The snapshots that are being read, in any process, the oldest first.
    public var readers: [Reader]
    /// How long this process's oldest snapshot has been held, to some milliseconds; nil when it holds none.
    public var oldestSnapshotAge: Duration?
    /// The journal of commits; nil where there is none, as in a temporary store.
    public var journal: Journal?

    /// The snapshot that is furthest behind; nil when nothing is being read.
    public var oldestReader: Reader? { readers.first }
}

extension ObjectStoreDBClient {
    /// Returns the size of the store and of its journal, and the snapshots that are being read.
    ///
    /// - Throws: `.closed`, `.io`.
    public func statistics() throws -> ObjectStoreStatistics {
        try session.environment().statistics()
    }
}

extension Environment {
    func statistics() throws -> ObjectStoreStatistics {
        // Before the one that looks is among them.
        let oldestAge = snapshots.ages.first
        let reader = try takeReader()
        defer { giveBack(reader) }
        guard var readers = listedReaders() else {
            throw DBClientError(.io, "The list of readers cannot be read.")
        }
        let last = reader.number
        // Not the one that looks.
        let own = readers.firstIndex { $0.process == Self.ownProcess && $0.commit == last }
        if let own { readers.remove(at: own) }
        let file = try openFile()
        return ObjectStoreStatistics(
            fileSize: Int(file.size),
            diskSize: Int(file.disk_size),
            readers: readers.compactMap { reader in
                guard let commit = reader.commit else { return nil }
                // One that began since then sees more than the last commit.
                let commitsBehind = last > commit ? Int(clamping: last - commit) : 0
                return .init(process: reader.process, commitsBehind: commitsBehind)
            }
            .sorted { $0.commitsBehind > $1.commitsBehind },
            oldestSnapshotAge: oldestAge,
            journal: try shared.map { try statistics(of: $0.journal, through: reader) }
        )
    }

    private func statistics(
        of journal: Journal,
        through reader: StoreReader
    ) throws -> ObjectStoreStatistics.Journal {
        let size = try journal.size(in: reader)
        let oldest = try journal.oldest(in: reader)
        return ObjectStoreStatistics.Journal(
            entryCount: size.entries,
            size: size.bytes,
            commitsSinceOldest: oldest.map { Int(clamping: reader.number - min($0, reader.number)) }
        )
    }
}

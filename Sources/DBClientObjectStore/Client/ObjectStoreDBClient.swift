public import DBClientCore
public import Foundation

/// A client of an embedded object store: one file, mapped into memory, for the app that owns it.
///
/// ```swift
/// let client = try ObjectStoreDBClient(at: url)
/// ```
///
/// Reads run on the caller's thread straight from the map. Writes take turns; those that wait for one
/// another share a commit. Several clients of one file share its engine, in one process or in many.
///
/// The map is a terabyte, or as large as the address space allows, and grows with the store. A call whose data does not
/// fit into it throws `.full`, whether it writes the data or reads what another process wrote; other calls work on.
public final class ObjectStoreDBClient: EngineBackedClient {
    /// Where a store is kept that was not given a file.
    public enum Location: Sendable {
        /// In a temporary file that is never synced and is deleted with the client.
        ///
        /// LMDB works only on files: data that fits in memory stays there, in the system's page cache.
        case inMemory
    }

    /// The engine that runs the client's transactions.
    public var engine: any Engine { session }

    let session: Session

    /// Opens the store in a file, or creates it.
    ///
    /// - Parameters:
    ///   - url: The file; its folder must exist. LMDB keeps its locks in a second file beside it.
    ///   - key: The key of an encrypted store, with which a new one is made; nil for a store that is not encrypted.
    ///   - durability: What an acknowledged commit survives.
    ///   - busyTimeout: How long a call waits for another process that holds the store before it throws
    ///     `.busy`; where the address space is scarce, also how long it waits for the transactions that run
    ///     before the store's map can grow.
    ///   - verification: When the whole file is checked first; a file that is open in this process already is not
    ///     checked again.
    ///   - maximumSnapshotAge: How long a read may keep its snapshot; nil for no limit. Everything that is written
    ///     while a snapshot is held makes the file longer. A read transaction that takes longer throws `.timeout` at
    ///     its next call, and held results release their snapshot and refetch, as they do without a limit when the file
    ///     has grown to twice the size of its content.
    ///   - snapshotWarningAge: How old a snapshot is when `snapshotWarning` is called.
    ///   - snapshotWarning: Called with a commit, at most once a second, while this process holds a snapshot of that
    ///     age, on a thread of the system's. These three hold for all clients of the file in the process, as the first
    ///     of them was given.
    /// - Throws: `.corrupt` for a damaged or foreign file, `.permission`, also for a symbolic link and for a file that
    ///   every user may write to, `.io`, `.busy` when a new store
    ///   is being written by another process, `.full` when the process has no address space left for it,
    ///   `.unsupported` for a network file system, `.invalidRequest`
    ///   for a URL that is not one of a file, other options than those with which this process has the
    ///   file open, or a file that was deleted, moved or replaced while a client of this process, which is
    ///   not closed yet, had it open. Writes of that client throw `.io` once its file was deleted, moved or replaced.
    public convenience init(
        at url: URL,
        key: StoreKey? = nil,
        durability: Durability = .full,
        busyTimeout: Duration = .seconds(5),
        verification: Verification = .whenChanged,
        maximumSnapshotAge: Duration? = nil,
        snapshotWarningAge: Duration = .seconds(10),
        snapshotWarning: (@Sendable (ObjectStoreStatistics) -> Void)? = nil
    ) throws {
        try self.init(
            at: url,
            key: key,
            durability: durability,
            busyTimeout: busyTimeout,
            verification: verification,
            limits: SnapshotAges.Limits(
                maximum: maximumSnapshotAge,
                warning: snapshotWarningAge,
                warn: snapshotWarning
            ),
            mapSize: Self.largestMap
        )
    }

    /// Opens a temporary store, which is deleted with the client.
    ///
    /// - Throws: `.io` when there is no temporary folder to be written to, and what opening a file throws.
    public init(_ location: Location) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dbclient-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw DBClientError(.io, "A temporary folder could not be made.", underlying: error)
        }
        do {
            session = Session(
                try EnvironmentRegistry.open(
                    folder.appendingPathComponent("store").path,
                    Environment.Options(
                        durability: .relaxed,
                        isTemporary: true,
                        mapSize: Self.largestMap
                    )
                ),
                temporaryFolder: folder
            )
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    /// Opens a store with a map of a size to begin with, for tests of its growth.
    package convenience init(
        at url: URL,
        key: StoreKey? = nil,
        durability: Durability = .full,
        busyTimeout: Duration = .seconds(5),
        mapSize: Int
    ) throws {
        try self.init(
            at: url,
            key: key,
            durability: durability,
            busyTimeout: busyTimeout,
            verification: .whenChanged,
            limits: SnapshotAges.Limits(),
            mapSize: mapSize
        )
    }

    private init(
        at url: URL,
        key: StoreKey?,
        durability: Durability,
        busyTimeout: Duration,
        verification: Verification,
        limits: SnapshotAges.Limits,
        mapSize: Int
    ) throws {
        guard url.isFileURL else {
            throw DBClientError(
                .invalidRequest,
                "The store's URL is not one of a file.",
                hint: "Make it with URL(fileURLWithPath:)."
            )
        }
        let options = Environment.Options(
            durability: durability,
            busyTimeout: busyTimeout,
            verification: verification,
            mapSize: mapSize
        )
        session = Session(try EnvironmentRegistry.open(url.path, options, limits, key: key))
    }

    private static let largestMap = 1 << 40

    deinit {
        try? session.close()
    }
}

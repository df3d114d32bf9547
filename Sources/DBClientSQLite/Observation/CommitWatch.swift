import DBClientCore
import DBClientSQL
import Synchronization

/// Distinguishes the commits of other processes from those of this one, by the data version that each
/// connection reports.
///
/// The writer's own connection is asked at the start of each write and at its end, since no other
/// connection commits between the two. A dedicated connection finds the commits after the last write; when
/// it cannot tell them from a write of ours, an empty write asks the writer's.
final class SQLiteCommitWatch: ForeignCommits {
    private struct State {
        var isWatching = false
        /// The version that the writer's connection had after its last write; nil when it was not asked
        /// yet.
        var writerVersion: UInt32?
        /// Whether a write runs, whose commit may be seen before it is known here.
        var isWriting = false
        /// Whether a commit was seen that may be another's, and no write has begun since.
        var isUncertain = false
        /// The number of writes, to tell whether there was one between two looks.
        var writes = 0
        var watcher: Watcher?
        /// The one of the last watch: to open a connection takes a hundred times as long as to ask it, and
        /// observers may come and go all the time.
        var spare: Watcher?
        var isClosed = false
    }

    /// A connection that is only asked for the version.
    private final class Watcher: @unchecked Sendable {
        let connection: SQLiteConnection
        var version: Int64?
        var writes = 0

        init(_ connection: SQLiteConnection) {
            self.connection = connection
            version = connection.dataVersion
        }

        deinit {
            connection.close()
        }
    }

    private let state = Mutex(State())
    /// Weak, since the hub holds this watch.
    private weak let hub: ChangeHub?
    private let open: @Sendable () throws -> SQLiteConnection
    private let files: SQLiteStoreFiles
    /// None where the file is not encrypted.
    private let cipher: SQLiteCipher?
    /// Runs an empty write, some time.
    private let probe: @Sendable () -> Void
    /// Runs an empty write, and returns when it has ended.
    private let write: @Sendable () async throws -> Void

    init(
        _ hub: ChangeHub,
        _ files: SQLiteStoreFiles,
        _ cipher: SQLiteCipher? = nil,
        probe: @escaping @Sendable () -> Void,
        write: @escaping @Sendable () async throws -> Void,
        open: @escaping @Sendable () throws -> SQLiteConnection
    ) {
        self.hub = hub
        self.files = files
        self.cipher = cipher
        self.probe = probe
        self.write = write
        self.open = open
    }

    func beginWatching() {
        let spare = state.withLock { state in
            defer { state.spare = nil }
            return state.spare
        }
        spare?.version = spare?.connection.dataVersion
        let watcher = spare ?? (try? Watcher(open()))
        state.withLock { state in
            if state.isClosed { return }
            state.isWatching = true
            state.writerVersion = nil
            state.isUncertain = false
            watcher?.writes = state.writes
            state.watcher = watcher
        }
    }

    func endWatching() {
        state.withLock { state in
            state.isWatching = false
            if !state.isClosed { state.spare = state.watcher }
            state.watcher = nil
        }
    }

    /// Closes the connection; the watch cannot be begun again.
    func close() {
        let watchers = state.withLock { state in
            defer { (state.watcher, state.spare) = (nil, nil) }
            state.isWatching = false
            state.isClosed = true
            return [state.watcher, state.spare]
        }
        // Outside of the lock: the last one that has a connection closes it.
        withExtendedLifetime(watchers) {}
    }

    /// Learns at the start of a write what the writer's connection sees.
    func enter(_ connection: SQLiteConnection) {
        let isForeign = state.withLock { state in
            state.isWriting = true
            state.isUncertain = false
            guard state.isWatching else { return false }
            if let known = state.writerVersion { return connection.handle.contentVersion != known }
            // The first write: any commit since the watch began was not this writer's.
            guard let watcher = state.watcher else { return true }
            return watcher.connection.dataVersion != watcher.version
        }
        if isForeign { hub?.noteForeignCommit() }
    }

    /// Learns that a write was committed or undone.
    func leave(_ connection: SQLiteConnection) {
        state.withLock { state in
            state.isWriting = false
            state.writes += 1
            if state.isWatching { state.writerVersion = connection.handle.contentVersion }
        }
    }

    func look() {
        do {
            try files.checkNames()
        } catch {
            hub?.noteLoss(.wrapping(error))
            return
        }
        if cipher != nil, !hasKey() { return }
        if state.withLock({ $0.isWatching && $0.watcher == nil }) { return openAgain() }
        if compareVersions().isNewDoubt { probe() }
    }

    /// Whether the watching connection has the key of the file.
    ///
    /// Otherwise it is let go of, where this client has changed the key, and all observations end, where another one has.
    private func hasKey() -> Bool {
        let (current, spare) = state.withLock { state in
            defer { state.spare = nil }
            return (state.watcher, state.spare)
        }
        withExtendedLifetime(spare) {}
        guard let current else { return true }
        guard let failure = state.withLock({ _ in current.connection.keyFailure }) else {
            return true
        }
        if cipher?.isCurrent(current.connection.generation) == true {
            hub?.noteLoss(failure)
        } else {
            state.withLock { if $0.watcher === current { $0.watcher = nil } }
        }
        return false
    }

    /// Asks the watching connection, announces a commit that cannot be ours, and returns whether one was seen that
    /// may be another program's: now, and at all since the last write began.
    private func compareVersions() -> (isNewDoubt: Bool, isInDoubt: Bool) {
        let (isForeign, isNewDoubt, isInDoubt) = state.withLock { state -> (Bool, Bool, Bool) in
            // Without a connection nothing is known.
            guard let watcher = state.watcher else { return (false, false, true) }
            let version = watcher.connection.dataVersion
            let hasChanged = version != watcher.version
            let isOurs = state.isWriting || state.writes != watcher.writes
            watcher.version = version
            watcher.writes = state.writes
            if hasChanged && isOurs { state.isUncertain = true }
            return (hasChanged && !isOurs, hasChanged && isOurs, state.isUncertain)
        }
        if isForeign { hub?.noteForeignCommit() }
        return (isNewDoubt, isInDoubt)
    }
}

extension SQLiteCommitWatch {
    /// Foreign commits are found from time to time, and when there is a write.
    var mayTellLate: Bool { true }

    /// Looks, and asks the writer's connection, which alone can tell when there was a write of ours.
    func settle() async {
        if !compareVersions().isInDoubt { return }
        do {
            try await write()
        } catch {
            if DBClientError.wrapping(error).code != .closed { hub?.noteForeignCommit() }
        }
    }

    /// Opens the connection that could not be opened when the watch began.
    ///
    /// Whether there were foreign commits since then is not known, so that counts as one.
    private func openAgain() {
        guard let watcher = try? Watcher(open()) else { return }
        let isWatching = state.withLock { state in
            guard state.isWatching, state.watcher == nil, !state.isClosed else { return false }
            watcher.writes = state.writes
            state.watcher = watcher
            return true
        }
        if isWatching { hub?.noteForeignCommit() }
    }
}

extension SQLiteConnection {
    /// The error of a connection that was opened with a key of the file which it has no more.
    fileprivate var keyFailure: DBClientError? {
        do {
            try versionStatement().values(on: nil) { _ in false }
            return nil
        } catch let error as DBClientError where error.code == .wrongKey {
            return error
        } catch {
            return nil
        }
    }

    /// The number that changes when another connection commits; nil when it cannot be read.
    fileprivate var dataVersion: Int64? {
        var version: Int64?
        try? versionStatement().values(on: nil) { row in
            version = row[0].integer
            return false
        }
        return version
    }
}

import DBClientCore
import Foundation
import Synchronization

/// One client's hold on a shared engine: closed for this client alone.
final class Session: Engine {
    let engine: ObjectStoreEngine
    private let temporaryFolder: URL?
    private let state = SessionState()

    init(_ engine: ObjectStoreEngine, temporaryFolder: URL? = nil) {
        self.engine = engine
        self.temporaryFolder = temporaryFolder
    }

    /// The environment, while the client is open.
    func environment() throws -> Environment {
        try state.checkOpen()
        return engine.environment
    }

    /// Compacts the store and returns how many bytes the file gave back.
    func compact() throws -> Int {
        try state.checkOpen()
        return try engine.compact()
    }

    /// Gives an encrypted store another key.
    func rekey(to key: StoreKey) throws {
        try state.checkOpen()
        try engine.rekey(to: key)
    }

    func version() throws -> StoreVersion {
        try state.checkOpen()
        return try engine.version()
    }

    let systemName = "lmdb"
    /// Nil in a forked child, whose observers would never be notified.
    var hub: ChangeHub? { Fork.isChild ? nil : engine.hub }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        try state.checkOpen()
        return try engine.readBlocking(body)
    }

    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value {
        try state.checkOpen()
        return try engine.queue.runBlocking(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        try state.checkOpen()
        return try await engine.queue.run(body)
    }

    func openSnapshot() throws -> (any EngineSnapshot)? {
        try state.checkOpen()
        return try engine.openSnapshot { [state] in try state.checkOpen() }
    }

    /// Lets go of the engine; the last client of a file closes it.
    ///
    /// - Throws: `.io` when the file was deleted, moved or replaced meanwhile; the client is closed all the same.
    func close() throws {
        guard state.close(), !Fork.isChild else { return }
        let check = Result { try engine.environment.checkBeforeClosing() }
        EnvironmentRegistry.close(engine)
        if let temporaryFolder { try? FileManager.default.removeItem(at: temporaryFolder) }
        try check.get()
    }
}

/// Whether a client can be used: apart from its session, which what asks may outlive.
private final class SessionState: Sendable {
    private let isClosed = Atomic(false)

    /// Closes and returns whether it was open.
    func close() -> Bool {
        !isClosed.exchange(true, ordering: .acquiringAndReleasing)
    }

    @inline(__always)
    func checkOpen() throws {
        // First: in a child any lock may be one that a thread of the parent's had.
        try Fork.check()
        if isClosed.load(ordering: .acquiring) {
            throw DBClientError(.closed, "The client was closed.")
        }
    }
}

import DBClientSQL
import Foundation
import Synchronization
import Testing

import class GRDB.DatabaseQueue

@testable import DBClientCore
@testable import DBClientSQLite

/// Telling the commits of other connections from those of the client.
@Suite struct CommitWatchTests {
    private let folder: TemporaryFolder
    private let writer: SQLiteConnection
    private let other: SQLiteConnection
    private let files: SQLiteStoreFiles
    private let hub = ChangeHub()
    private let probes = Probes()
    private let watch: SQLiteCommitWatch

    private final class Probes: Sendable {
        let count = Mutex(0)
    }

    init() throws {
        folder = try TemporaryFolder()
        let path = folder.store.path
        writer = try SQLiteConnection(DatabaseQueue(path: path))
        _ = try writer.prepareJournal(.full, entersWriteAheadMode: true)
        files = try SQLiteStoreFiles(path, writer, hasLog: true, isSound: true)
        other = try SQLiteConnection(DatabaseQueue(path: path))
        watch = SQLiteCommitWatch(
            hub,
            files,
            probe: { [probes] in probes.count.withLock { $0 += 1 } },
            write: {},
            open: { try SQLiteConnection(DatabaseQueue(path: path)) }
        )
        try execute("CREATE TABLE t (a)", writer)
        hub.changeWatches { $0.changing([Hero.schema.entity]) { $0.add(within: nil) } }
        watch.beginWatching()
    }

    @Test func whatOthersCommitBetweenWritesIsTold() throws {
        try write()
        #expect(hub.begunNumber == 0)
        try execute("INSERT INTO t VALUES (1)", other)
        try write()
        #expect(hub.begunNumber == 1)
        try write()
        try writer.begin(.write)
        watch.enter(writer)
        try execute("INSERT INTO t VALUES (1)", writer)
        writer.rollback()
        watch.leave(writer)
        try write()
        #expect(hub.begunNumber == 1)
    }

    @Test func whatOthersCommitBeforeTheFirstWriteIsTold() throws {
        try execute("INSERT INTO t VALUES (1)", other)
        try write()
        #expect(hub.begunNumber == 1)
    }

    /// The commit can be seen before its writer says so.
    @Test func aLookDuringACommitDoesNotTakeItForAnother() throws {
        try writer.begin(.write)
        watch.enter(writer)
        try execute("INSERT INTO t VALUES (1)", writer)
        try writer.commit()
        watch.look()
        watch.leave(writer)
        #expect(hub.begunNumber == 0)
        #expect(probes.count.withLock { $0 } == 1)
        // A look finds what others commit without a write.
        watch.look()
        try execute("INSERT INTO t VALUES (1)", other)
        watch.look()
        #expect(hub.begunNumber == 1)
        #expect(probes.count.withLock { $0 } == 1)
    }

    @Test func whoeverWaitsIsToldWhatOthersCommitted() async throws {
        try write()
        try execute("INSERT INTO t VALUES (1)", other)
        // Called on this task alone.
        nonisolated(unsafe) let test = self
        await settling { try test.write() }.settle()
        #expect(hub.begunNumber == 1)
        await settling { try test.write() }.settle()
        #expect(hub.begunNumber == 1)
        // Whether another commit came meanwhile cannot be known.
        await settling { throw DBClientError(.busy, "Somebody else writes.") }.settle()
        #expect(hub.begunNumber == 2)
        await settling { throw DBClientError(.closed, "The client was closed.") }.settle()
        #expect(hub.begunNumber == 2)
    }

    /// Returns what waits for another write than an empty one.
    private func settling(_ write: @escaping @Sendable () throws -> Void) -> SQLiteCommitWatch {
        SQLiteCommitWatch(
            hub,
            files,
            probe: {},
            write: write,
            open: { throw DBClientError(.unsupported, "It does not watch.") }
        )
    }

    private func write() throws {
        try writer.begin(.write)
        watch.enter(writer)
        try execute("INSERT INTO t VALUES (1)", writer)
        try writer.commit()
        watch.leave(writer)
    }

    private func execute(_ sql: String, _ connection: SQLiteConnection) throws {
        _ = try connection.prepare(sql, for: .once).execute(on: nil)
    }
}

import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation
import StoreEntry
import Testing
import TrustRow

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Two processes on one store, and one that is killed in the middle of a write.
@Suite(.serialized) struct ProcessTests {
    enum Engine: String, CaseIterable, Sendable {
        case objectStore = "object-store"
        case sqlite
        case encryptedObjectStore = "encrypted-object-store"

        /// The last needs the trait `Encryption`.
        #if Encryption
        static let allCases = [objectStore, sqlite, encryptedObjectStore]
        #else
        static let allCases = [objectStore, sqlite]
        #endif

        func open(_ url: URL) throws -> any DBClient {
            switch self {
            case .objectStore: try ObjectStoreDBClient(at: url)
            case .encryptedObjectStore: try ObjectStoreDBClient(at: url, key: storeKey)
            case .sqlite: try SQLDBClient.sqlite(at: url)
            }
        }

        /// Checks a store that is closed.
        func verify(_ url: URL) throws {
            switch self {
            case .objectStore: try ObjectStoreDBClient.verify(at: url)
            case .encryptedObjectStore: try ObjectStoreDBClient.verify(at: url, key: storeKey)
            case .sqlite: try SQLDBClient.verifySQLite(at: url)
            }
        }

        func open(_ url: URL, busyTimeout: Duration) throws -> any DBClient {
            switch self {
            case .objectStore: try ObjectStoreDBClient(at: url, busyTimeout: busyTimeout)
            case .encryptedObjectStore:
                try ObjectStoreDBClient(at: url, key: storeKey, busyTimeout: busyTimeout)
            case .sqlite:
                try SQLDBClient.sqlite(
                    at: url,
                    configuration: SQLiteConfiguration(busyTimeout: busyTimeout)
                )
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func bothProcessesSeeTheCommitsOfBoth(engine: Engine) throws {
        let folder = try TemporaryFolder()
        let client = try engine.open(folder.store)
        try client.blocking.insert(Entry(0))
        let children = try [1_000, 2_000].map {
            try Child(engine.rawValue, folder.store, first: $0, count: 50)
        }
        for id in 1...50 { try client.blocking.insert(Entry(id)) }
        for child in children { #expect(child.waitForAcknowledged().count == 50) }
        let expected = Array(0...50) + Array(1_000..<1_050) + Array(2_000..<2_050)
        #expect(try client.blocking.fetch(Entry.all).map(\.id) == expected)
        #expect(
            try client.blocking.fetch(Entry.where { $0.bucket == 3 }).map(\.id)
                == expected.filter { $0 % 7 == 3 }
        )
    }

    /// The process is killed at a random moment: what it acknowledged is there, what it did not is
    /// there whole or not at all, and the store opens.
    @Test(arguments: Engine.allCases)
    func aKilledWriterLosesNothingAcknowledged(engine: Engine) throws {
        let row = TrustRow("R1")
        let start = ContinuousClock.now
        let kills = row.size("DBCLIENT_KILLS", short: 12)
        let outcome = try KilledWriter(engine: engine).run(kills: kills, seed: row.seed)
        #expect(outcome.faults.isEmpty, "\(outcome.faults.count): \(outcome.faults.prefix(10))")
        #expect(outcome.acknowledged > 0)
        row.report(kills, of: engine.rawValue, since: start)
    }

    /// Otherwise the kills would prove nothing.
    @Test(arguments: Engine.allCases)
    func aWriterThatAcknowledgesTooEarlyIsFound(engine: Engine) throws {
        var writer = KilledWriter(engine: engine)
        writer.acknowledgesEarly = true
        let outcome = try writer.run(kills: 6, seed: 1)
        #expect(outcome.faults.contains { $0.contains("lost") })
    }

    /// A process that closes any descriptor of a file loses its locks on it, and another one, which believes
    /// to be the last, takes the log away that commits still go to.
    @Test func aClientThatComesLaterLeavesTheProcessItsLocks() throws {
        let folder = try TemporaryFolder()
        let first = try Engine.sqlite.open(folder.store)
        try first.blocking.insert(Entry(0))
        let second = try Engine.sqlite.open(folder.store)
        for round in 1...2 {
            let child = try Child(
                Engine.sqlite.rawValue,
                folder.store,
                first: round * 1_000,
                count: 1
            )
            #expect(child.waitForAcknowledged() == [round * 1_000])
            #expect(FileManager.default.fileExists(atPath: folder.store.path + "-wal"))
            try first.blocking.insert(Entry(round))
        }
        let reader = try Engine.sqlite.open(folder.store)
        #expect(try reader.blocking.fetch(Entry.all).map(\.id) == [0, 1, 2, 1_000, 2_000])
        for client in [first, second, reader] { try client.close() }
    }

    /// The second process never heard of the model that refers, and the store tells it.
    @Test(arguments: Engine.allCases)
    func aRuleOfDeletionHoldsInAnotherProcess(engine: Engine) throws {
        let folder = try TemporaryFolder()
        let client = try engine.open(folder.store)
        try client.blocking.insert((0..<4).map { Entry($0) })
        try client.blocking.insert(Bookmark(id: 1, entry: Reference(0), next: Reference(1)))
        try client.blocking.insert(Bookmark(id: 2, entry: Reference(3), next: nil))
        let denied = try Child(engine.rawValue, folder.store, first: 0, count: -2)
        #expect(denied.waitForAcknowledged().isEmpty)
        #expect(try client.blocking.count(Entry.all) == 4)
        let nullified = try Child(engine.rawValue, folder.store, first: 1, count: -2)
        #expect(nullified.waitForAcknowledged() == [1])
        #expect(try client.blocking.fetch(Entry.all).map(\.id) == [0, 3])
        #expect(try client.blocking.find(Bookmark.self, key: 1)?.next == nil)
    }

    /// LMDB refuses a second try on what it failed to open, so each smaller map was refused as well.
    @Test func aSmallAddressSpaceGetsASmallerMap() throws {
        let folder = try TemporaryFolder()
        let child = try Child(
            Engine.objectStore.rawValue,
            folder.store,
            first: 1,
            count: 10,
            addressSpace: 8 << 30
        )
        #expect(child.waitForAcknowledged() == Array(1...10))
        let client = try Engine.objectStore.open(folder.store)
        #expect(try client.blocking.fetch(Entry.all).map(\.id) == Array(1...10))
    }
}

/// What refers to an entry, unknown to the second process.
@Stored struct Bookmark: Equatable {
    let id: Int
    let entry: Reference<Entry>
    let next: Reference<Entry>?
}

/// `kill`, whose name the class below takes.
private let sendSignal: @Sendable (pid_t, Int32) -> Int32 = { kill($0, $1) }

/// The second process.
final class Child {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var beginning = Data()

    /// Starts the process, its address space limited to so many bytes where one says so.
    init(
        _ engine: String,
        _ store: URL,
        first: Int,
        count: Int,
        addressSpace: Int? = nil
    ) throws {
        try run([engine, store.path, "\(first)", "\(count)"], addressSpace)
    }

    /// Starts the process with some arguments.
    init(_ arguments: [String]) throws {
        try run(arguments, nil)
    }

    /// Starts the process with some arguments.
    convenience init(_ arguments: String...) throws {
        try self.init(arguments)
    }

    private func run(_ arguments: [String], _ addressSpace: Int?) throws {
        let executable = try Self.executable()
        if let addressSpace {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let command = "ulimit -v \(addressSpace / 1024) && exec \"$0\" \"$@\""
            process.arguments = ["-c", command, executable.path] + arguments
        } else {
            process.executableURL = executable
            process.arguments = arguments
        }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Ends what the process reads.
    func endInput() throws {
        try input.fileHandleForWriting.close()
    }

    /// The executable stands beside the tests' own.
    static func executable() throws -> URL {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let candidates = [
            folder, Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent(),
        ]
        let found = candidates.map { $0.appendingPathComponent("StoreChild") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        return try #require(found, "StoreChild was not built beside the tests")
    }

    func kill() {
        signal(SIGKILL)
    }

    func signal(_ number: Int32) {
        _ = sendSignal(process.processIdentifier, number)
    }

    /// Waits until the process has printed a line.
    func waitForLine(_ line: String) throws {
        while !String(decoding: beginning, as: UTF8.self).contains(line + "\n") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { throw DBClientError(.io, "The process did not print '\(line)'.") }
            beginning += data
        }
    }

    /// Returns the lines that the process printed, once it has ended.
    func waitForLines() -> [String] {
        let data = beginning + output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Returns the first ids that the process acknowledges, once there are any.
    func waitForFirst() -> [Int] {
        beginning = output.fileHandleForReading.availableData
        return ids(in: beginning)
    }

    /// Returns the ids that the process acknowledged, once it has ended.
    func waitForAcknowledged() -> [Int] {
        let data = beginning + output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return ids(in: data)
    }

    private func ids(in data: Data) -> [Int] {
        // The last line may be cut.
        data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
            .dropLast(data.last == UInt8(ascii: "\n") ? 0 : 1)
            .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
}

/// A folder that is removed when its owner goes.
final class TemporaryFolder {
    let url: URL
    var store: URL { url.appendingPathComponent("entries.store") }

    /// Makes the folder, in memory where that is wanted and the system has a place for it.
    init(inMemory: Bool = false) throws {
        let memory = "/dev/shm"
        let isInMemory = inMemory && FileManager.default.isWritableFile(atPath: memory)
        url = (isInMemory ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory)
            .appendingPathComponent("DBClientProcessTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}

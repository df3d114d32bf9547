import DBClientCore
import DBClientInMemory
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation
import GRDB

/// A store with one observer of all its characters, strongest last.
protocol ObservedStore: AnyObject {
    /// Inserts rows in one transaction.
    func insert(_ rows: [Character]) async throws
    /// Writes the power of one row, durably.
    func setPower(_ power: Double, of key: Int) async throws
    /// Begins to observe and returns when the first values have come.
    func observe() async throws
    /// Waits for the next delivery and returns how many values the observer has then.
    func delivery() async throws -> Int
    /// Ends the observation and closes the store.
    func close() throws
}

/// A client of the library.
final class ObservedClient: ObservedStore {
    private let client: any DBClient
    private var iterator: ChangeStream<Character>.AsyncIterator?

    init(_ client: any DBClient) {
        self.client = client
    }

    func insert(_ rows: [Character]) async throws {
        try await client.insert(rows)
    }

    func setPower(_ power: Double, of key: Int) async throws {
        try await client.update(Character.self, key: key) { $0.set(\.power, to: power) }
    }

    func observe() async throws {
        iterator = client.observe(Character.all.sorted { $0.power }).makeAsyncIterator()
        _ = try await delivery()
    }

    func delivery() async throws -> Int {
        guard let change = try await iterator?.next() else {
            throw BenchmarkError("nothing was delivered")
        }
        return change.objects.count
    }

    func close() throws {
        iterator = nil
        try client.close()
    }
}

/// GRDB's own observation of the same request on the same table, with its fastest record.
final class ObservedGRDB: ObservedStore {
    private let pool: DatabasePool
    private var iterator: AsyncThrowingStream<Int, any Error>.AsyncIterator?
    private var cancellable: AnyDatabaseCancellable?

    init(folder: URL) throws {
        pool = try GRDBStore(folder: folder).pool
    }

    func insert(_ rows: [Character]) async throws {
        try await pool.write { database in
            for row in rows { try row.insert(database) }
        }
    }

    func setPower(_ power: Double, of key: Int) async throws {
        _ = try await pool.write { database in
            try Character.filter(key: key)
                .updateAll(database, Character.Columns.power.set(to: power))
        }
    }

    func observe() async throws {
        let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
        let observation = ValueObservation.tracking { database in
            try Character.order(Character.Columns.power, Character.Columns.id).fetchAll(database)
        }
        cancellable = observation.start(
            in: pool,
            scheduling: .async(onQueue: DispatchQueue(label: "benchmark.observer")),
            onError: { continuation.finish(throwing: $0) },
            onChange: { continuation.yield($0.count) }
        )
        iterator = stream.makeAsyncIterator()
        _ = try await delivery()
    }

    func delivery() async throws -> Int {
        guard let count = try await iterator?.next() else {
            throw BenchmarkError("nothing was delivered")
        }
        return count
    }

    func close() throws {
        cancellable?.cancel()
        try GRDBStore.close(pool)
    }
}

/// The stores that are observed.
enum ObservedKind: String, CaseIterable {
    case inMemory = "in-memory"
    case objectStore = "object store"
    case sqlite = "SQLite client"
    case grdb = "GRDB ValueObservation"

    func open(_ folder: URL, _ name: String) throws -> any ObservedStore {
        if self == .grdb { return try ObservedGRDB(folder: Self.folder(folder, name)) }
        return ObservedClient(try client(folder, name))
    }

    /// Opens a client of the library; GRDB has none.
    func client(_ folder: URL, _ name: String = "store") throws -> any DBClient {
        let folder = try Self.folder(folder, name)
        return switch self {
        case .inMemory: InMemoryDBClient()
        case .objectStore: try ObjectStoreDBClient(at: folder.appendingPathComponent("store"))
        case .sqlite: try SQLDBClient.sqlite(at: folder.appendingPathComponent("store.sqlite"))
        case .grdb: throw BenchmarkError("GRDB is no client of the library")
        }
    }

    private static func folder(_ parent: URL, _ name: String) throws -> URL {
        let folder = parent.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

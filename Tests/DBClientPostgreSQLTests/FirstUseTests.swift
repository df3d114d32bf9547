import DBClientCore
import DBClientSQL
import Dispatch
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// Units of work that meet an entity or a relationship of which the store has nothing yet.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct FirstUseTests {
    /// Runs a body on a thread of its own, and waits for it, but not for long: it may itself wait for the caller.
    private func start(_ body: @escaping @Sendable () throws -> Void) -> DispatchGroup {
        let group = DispatchGroup()
        group.enter()
        DispatchQueue.global().async {
            do {
                try body()
            } catch {
                Issue.record(error)
            }
            group.leave()
        }
        _ = group.wait(timeout: .now() + .milliseconds(500))
        return group
    }

    private func withClients(
        _ body: @escaping @Sendable (SQLDBClient, SQLDBClient) async throws -> Void
    ) async throws {
        try await Server.withClient { ours, schema in
            try await ours.insert(Counter(1))
            let others = try await Server.client(schema: schema)
            try await body(ours, others)
            // No guard refers to a counter that is not there.
            let guards = try await ours.findAll(Guard.self)
            for found in guards {
                #expect(try await ours.find(Counter.self, key: found.counter.key) != nil)
            }
            try others.close()
        }
    }

    /// Inserts the first value that has a relationship, unless what it leads to is gone.
    private static func insertGuard(_ transaction: WriteTransaction) throws {
        guard try transaction.find(Counter.self, key: 1) != nil else { return }
        try transaction.insert(Guard(1))
    }

    @Test(
        "A deletion under way and the first relationship to what it deletes do not pass each other"
    )
    func relationshipDuringDeletion() async throws {
        try await withClients { ours, others in
            try await onThread {
                let group = Mutex<DispatchGroup?>(nil)
                try ours.blocking.write { transaction in
                    try transaction.delete(Counter.self, key: 1)
                    group.withLock { group in
                        if group != nil { return }
                        group = start { try others.blocking.write(Self.insertGuard) }
                    }
                }
                group.withLock { $0 }?.wait()
            }
            #expect(try await ours.count(Counter.all) == 0)
            #expect(try await ours.count(Guard.all) == 0)
        }
    }

    @Test(
        "The first relationship under way and a deletion of what it leads to do not pass each other"
    )
    func deletionDuringRelationship() async throws {
        try await withClients { ours, others in
            let denied = Mutex<DBClientError?>(nil)
            try await onThread {
                let group = Mutex<DispatchGroup?>(nil)
                try ours.blocking.write { transaction in
                    try Self.insertGuard(transaction)
                    group.withLock { group in
                        if group != nil { return }
                        group = start {
                            do {
                                try others.blocking.delete(Counter.self, key: 1)
                            } catch {
                                denied.withLock { $0 = error as? DBClientError }
                            }
                        }
                    }
                }
                group.withLock { $0 }?.wait()
            }
            #expect(denied.withLock { $0?.code } == .deletionDenied)
            #expect(try await ours.count(Guard.all) == 1)
        }
    }

    @Test(
        "Two units of work that find an entity empty, each before the other fills it, do not both"
    )
    func emptyEntities() async throws {
        try await withClients { ours, others in
            try await onThread {
                let group = Mutex<DispatchGroup?>(nil)
                try ours.blocking.write { transaction in
                    let isEmpty = try transaction.count(Note.all) == 0
                    group.withLock { group in
                        if group != nil { return }
                        group = start {
                            try others.blocking.write { transaction in
                                guard try transaction.count(Score.all) == 0 else { return }
                                try transaction.insert(Note(0, "others"))
                            }
                        }
                    }
                    if isEmpty { try transaction.insert(Score(1)) }
                }
                group.withLock { $0 }?.wait()
            }
            #expect(try await ours.count(Note.all) + ours.count(Score.all) == 1)
        }
    }

    @Test("Who may make no table reads what is not there as empty")
    func withoutRights() async throws {
        try await Server.withClient { client, schema in
            try await client.insert(Counter(1))
            try await client.execute("CREATE ROLE \(identifier: schema)")
            try await client.execute(
                "GRANT USAGE ON SCHEMA \(identifier: schema) TO \(identifier: schema)"
            )
            try await client.execute("GRANT ALL ON \"Counter\" TO \(identifier: schema)")
            try await client.write { transaction in
                try transaction.execute("SET LOCAL ROLE \(identifier: schema)")
                #expect(try transaction.count(Note.all) == 0)
                #expect(try transaction.delete(Counter.self, key: 1))
            }
            #expect(try await client.count(Counter.all) == 0)
            try await client.execute("DROP OWNED BY \(identifier: schema)")
            try await client.execute("DROP ROLE \(identifier: schema)")
        }
    }

    @Test("Of indexes made in one call none stays when one cannot be made")
    func indexesThatCannotBeMade() async throws {
        try await Server.withClient { client, _ in
            try await client.execute(
                "CREATE TABLE \"Score\" (\"id\" bigint PRIMARY KEY, \"a\" bigint NOT NULL, \"b\" bigint NOT NULL)"
            )
            try await client.execute("INSERT INTO \"Score\" VALUES (1, 1, 5), (2, 2, 5)")
            try await client.write { transaction in
                #expect(throws: DBClientError.self) { try transaction.insert(Score(3)) }
                try transaction.insert(Counter(3))
            }
            let indexes = try await client.rows(
                """
                SELECT indexname::text AS name FROM pg_indexes
                WHERE tablename = 'Score' AND schemaname = current_schema()
                """
            )
            #expect(indexes.map { $0["name", as: String.self] } == ["Score_pkey"])
            #expect(try await client.find(Counter.self, key: 3) != nil)
            try await client.execute("DELETE FROM \"Score\" WHERE id = 2")
            try await client.insert(Score(3))
            #expect(try await client.count(Score.all) == 2)
        }
    }
}

/// What keeps a counter from being deleted.
@Stored private struct Guard {
    let id: Int
    @Relationship(onDelete: .deny) let counter: Reference<Counter>

    init(_ id: Int) {
        self.id = id
        counter = Reference(1)
    }
}

/// A model with a plain index and a unique one.
private struct Score: Stored {
    let id: Int

    static let schema = Schema<Score>(
        name: "Score",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.a, "a", index: .plain),
            .field(\.b, "b", index: .unique),
        ]
    )

    var primaryKey: Int { id }
    var a: Int { id }
    var b: Int { id }

    init(_ id: Int) {
        self.id = id
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        _ = try row.read(Int.self)
        _ = try row.read(Int.self)
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(a)
        try row.write(b)
    }
}

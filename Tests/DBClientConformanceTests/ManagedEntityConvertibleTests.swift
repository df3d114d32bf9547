import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import DBClientTesting
import Testing

/// A hero and the team it belongs to: two rows, made and changed together.
struct Member: ManagedEntityConvertible, Equatable {
    let id: Int
    var name: String
    var team: String

    var primaryKey: Int { id }

    init(_ id: Int, _ name: String, team: String) {
        self.id = id
        self.name = name
        self.team = team
    }

    init(storage: MemberRecord) {
        self.init(storage.id, storage.name, team: storage.team)
    }

    func storage(existing: MemberRecord?) -> MemberRecord {
        MemberRecord(id: id, name: name, team: team)
    }

    init(entity: ManagedEntity) throws {
        let name = try entity.value(\MemberRow.name)
        guard name != "unreadable" else { throw Refusal.reading }
        let team = try entity.entity(\MemberRow.team)
        self.init(try entity.value(\MemberRow.id), name, team: try team.value(\TeamRow.name))
    }

    func upsert(in context: EntityContext, existing: ManagedEntity?) throws -> ManagedEntity {
        guard name != "unwritable" else { throw Refusal.writing }
        let found = try context.fetch(TeamRow.where { $0.name == team }).first
        let group = try found ?? context.insert(TeamRow(name: team))
        guard name != "strayed" else { return try context.insert(MemberRow.self, key: id + 1) }
        let entity = try existing ?? context.insert(MemberRow.self, key: id)
        if existing == nil { try entity.set(\MemberRow.note, to: "new") }
        try entity.set(\MemberRow.name, to: name)
        try entity.set(\MemberRow.team, to: group)
        return entity
    }

    typealias Entity = MemberRow

    enum Refusal: Error { case reading, writing }
}

@Stored struct MemberRecord {
    let id: Int
    var name: String
    var team: String
}

@Stored struct MemberRow: Equatable {
    var note: String
    let id: Int
    var name: String
    @StoredName("teamId") var team: TeamRow
}

@Stored struct TeamRow: Equatable {
    @PrimaryKey(.generated) var id: Int = 0
    @Unique var name: String

    init(name: String) { self.name = name }
}

/// Changes one field of its entity, and reads what the entity holds.
struct Nickname: ManagedEntityConvertible, Equatable {
    let id: Int
    var name: String
    var team = ""

    typealias Entity = MemberRow

    var primaryKey: Int { id }

    init(_ id: Int, _ name: String, team: String = "") {
        self.id = id
        self.name = name
        self.team = team
    }

    init(storage: MemberRecord) {
        self.init(storage.id, storage.name, team: storage.team)
    }

    func storage(existing: MemberRecord?) -> MemberRecord {
        MemberRecord(id: id, name: name, team: existing?.team ?? team)
    }

    init(entity: ManagedEntity) throws {
        id = try entity.value(\MemberRow.id)
        name = try entity.value(\MemberRow.name)
        team = try entity.entity(\MemberRow.team).value(\TeamRow.name)
    }

    func upsert(in context: EntityContext, existing: ManagedEntity?) throws -> ManagedEntity {
        let entity = try existing ?? context.insert(MemberRow.self, key: id)
        if existing == nil {
            try entity.set(\MemberRow.note, to: "new")
            try entity.set("teamId", to: 1)
        }
        try entity.set(\MemberRow.name, to: name)
        return entity
    }
}

@Suite("Models kept as managed entities")
struct ManagedEntityConvertibleTests {
    static let relational = Backends.chosen.filter { $0.name.contains("SQL") }
    private static let members = [
        Member(1, "a", team: "x"), Member(2, "b", team: "y"), Member(3, "c", team: "x"),
    ]

    private func with(
        _ backend: ConformanceBackend,
        _ body: (any DBClient) async throws -> Void
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        try await body(client)
        try client.close()
    }

    @Test("An app calls every client alike", arguments: Backends.chosen)
    func callsAreTheSame(_ backend: ConformanceBackend) async throws {
        try await with(backend) { client in
            let members = Self.members
            #expect(try await client.insert(members) == members)
            #expect(try await client.find(Member.self, key: 2) == members[1])
            #expect(
                try await client.find(Member.self, keys: [3, 9, 1]) == [members[2], members[0]]
            )
            let request = Member.where { $0.id > 1 }.sorted { $0.name.descending }
            #expect(try await client.fetch(request) == [members[2], members[1]])
            #expect(try await client.fetchOne(request) == members[2])
            #expect(try await client.count(request) == 2)
            #expect(try await client.max(\.name, of: request) == "c")
            var streamed: [Member] = []
            for try await member in client.stream(request, batchSize: 1) { streamed.append(member) }
            #expect(streamed == [members[2], members[1]])
            let outcome = try await client.upsert([
                Member(4, "d", team: "z"), Member(1, "old", team: "x"), Member(1, "e", team: "y"),
            ])
            #expect(outcome.inserted == [Member(4, "d", team: "z")])
            #expect(outcome.updated == [Member(1, "e", team: "y")])
            try await client.update(Member(2, "f", team: "z"))
            let existing = try await client.updateExisting([
                Member(9, "g", team: "z"), Member(3, "g", team: "z"),
            ])
            #expect(existing == [Member(3, "g", team: "z")])
            try await client.update(Member.self, key: 3) { $0.set(\.name, to: "h") }
            #expect(try await client.delete(Member.where { $0.name == "f" }) == 1)
            #expect(try await client.delete(existing) == 1)
            #expect(
                try await client.findAll(Member.self)
                    == [Member(1, "e", team: "y"), Member(4, "d", team: "z")]
            )
        }
    }

    @Test("An app observes every client alike", arguments: Backends.chosen)
    func observationIsTheSame(_ backend: ConformanceBackend) async throws {
        try await with(backend) { client in
            try await client.insert(Self.members)
            let request = Member.where { $0.id > 1 }.sorted { $0.name.descending }
            var iterator = client.observe(request).makeAsyncIterator()
            var feed = client.changes(of: Member.self).makeAsyncIterator()
            let first = try await iterator.next().map { Array($0.objects) }
            #expect(first == Self.members[1...].reversed())
            try await client.update(Member(1, "unseen", team: "x"))
            try await client.update(Member(2, "z", team: "y"))
            guard case .update(var changes)? = try await iterator.next() else {
                throw Member.Refusal.reading
            }
            #expect(changes.moves == [.init(from: 1, to: 0)])
            #expect(changes.modifications.map(\.element) == [Member(2, "z", team: "y")])
            var updates = try await feed.next()?.updated ?? []
            if updates.count == 1 { updates += try await feed.next()?.updated ?? [] }
            #expect(updates.map(\.before) == Array(Self.members[..<2]))
            #expect(updates.map(\.after.name) == ["unseen", "z"])
            guard client is SQLDBClient else { return }
            // What the entity holds is part of the model.
            try await client.update(TeamRow.where { $0.name == "x" }) { $0.set(\.name, to: "w") }
            guard case .update(let renamed)? = try await iterator.next() else {
                throw Member.Refusal.reading
            }
            changes = renamed
            #expect(changes.modifications.map(\.element) == [Member(3, "c", team: "w")])
            try await client.update(MemberRow.self, key: 3) { $0.set(\.name, to: "unreadable") }
            let error = await #expect(throws: DBClientError.self) { _ = try await iterator.next() }
            #expect(error?.code == .decoding)
            #expect(error?.entity == "MemberRow")
        }
    }

    @Test("A relational client keeps entities, and others the storage", arguments: Backends.chosen)
    func shapesDiffer(_ backend: ConformanceBackend) async throws {
        try await with(backend) { client in
            try await client.insert(Self.members)
            try await client.upsert(Member(1, "d", team: "y"))
            let rows = try await client.findAll(MemberRow.self)
            guard client is SQLDBClient else {
                #expect(rows.isEmpty)
                return
            }
            let teams = try await client.fetch(TeamRow.all.sorted { $0.name })
            #expect(teams.map(\.name) == ["x", "y"])
            #expect(rows.map(\.note) == ["new", "new", "new"])
            #expect(rows.map(\.team.id) == [teams[1].id, teams[1].id, teams[0].id])
        }
    }

    @Test("Rows that many values change are read and written at once", arguments: [2, 40, 3_000])
    func bulk(_ count: Int) throws {
        let clients = [
            CountingClient(InMemoryDBClient()),
            CountingClient(try ObjectStoreDBClient(.inMemory)),
            CountingClient(try SQLDBClient.sqlite(.inMemory)),
        ]
        for client in clients {
            try client.blocking.insert(TeamRow(name: "x"))
            let first = (0..<count).map { Nickname($0, "a\($0)", team: "x") }
            try client.blocking.upsert(Array(first.prefix(count / 2)))
            _ = client.calls.take()
            let outcome = try client.blocking.upsert(first.map { Nickname($0.id, "b", team: "x") })
            #expect(outcome.inserted.map(\.id) == Array(count / 2..<count))
            #expect(outcome.updated.map(\.id) == Array(0..<count / 2))
            #expect((outcome.inserted + outcome.updated).allSatisfy { $0.team == "x" })
            // The team is looked up for whether it is there, and for the models that are returned.
            #expect(
                client.calls.take() == [
                    "scan dbclient_relationships": 1, "lookUp MemberRow": 1, "insert MemberRow": 1,
                    "update MemberRow": 1, "lookUp TeamRow": 2,
                ]
            )
            try client.blocking.update(first)
            #expect(
                client.calls.take() == [
                    "scan dbclient_relationships": 1, "lookUp MemberRow": 1, "update MemberRow": 1,
                    "lookUp TeamRow": 1,
                ]
            )
            #expect(try client.blocking.fetch(Nickname.all) == first)
        }
    }

    @Test("No value has statements of its own", arguments: relational)
    func statements(_ backend: ConformanceBackend) async throws {
        func prepared(_ count: Int) async throws -> Int {
            var prepared = 0
            try await with(backend) { client in
                try await client.insert(TeamRow(name: "x"))
                try await client.upsert((0..<count / 2).map { Nickname($0, "a") })
                prepared = try await client.write { transaction in
                    let base = transaction
                    let sql = try #require(try base.storeReader as? SQLTransaction)
                    let before = sql.preparedCount
                    let outcome = try transaction.upsert((0..<count).map { Nickname($0, "b") })
                    #expect(outcome.inserted.count == count / 2)
                    return sql.preparedCount - before
                }
                #expect(try await client.count(Nickname.where { $0.name == "b" }) == count)
            }
            return prepared
        }
        let few = try await prepared(400)
        let many = try await prepared(4_000)
        #expect(few == many)
    }

    @Test("A field that the entity lacks is refused", arguments: relational)
    func missingFields(_ backend: ConformanceBackend) async throws {
        try await with(backend) { client in
            let error = await #expect(throws: DBClientError.self) {
                try await client.fetch(Member.where { $0.team == "x" })
            }
            #expect(error?.code == .invalidRequest)
            #expect(error?.entity == "MemberRow")
            #expect(error?.field == "team")
        }
    }

    @Test("A conversion that throws undoes all of its call", arguments: relational)
    func failuresUndo(_ backend: ConformanceBackend) async throws {
        try await with(backend) { client in
            try await client.insert(Self.members)
            // Told by the attempt that was kept: a server may have the body run again.
            let told = try await client.write { transaction in
                var told: [DBClientError?] = []
                for name in ["unwritable", "strayed", "unreadable"] {
                    told.append(
                        error {
                            _ = try transaction.upsert([
                                Member(1, "z", team: "new"), Member(7, name, team: "newer"),
                            ])
                        }
                    )
                }
                told.append(
                    error {
                        _ = try transaction.insert([
                            Member(8, "z", team: "new"), Member(1, "z", team: "x"),
                        ])
                    }
                )
                told.append(
                    error {
                        try transaction.update([
                            Member(1, "z", team: "new"), Member(9, "z", team: "x"),
                        ])
                    }
                )
                return told
            }
            #expect(
                told.map { $0?.code }
                    == [.invalidValue, .invalidValue, .decoding, .duplicateKey, .notFound]
            )
            #expect(told.prefix(3).allSatisfy { $0?.entity == "MemberRow" })
            #expect(try await client.findAll(Member.self) == Self.members)
            #expect(try await client.count(TeamRow.all) == 2)
        }
    }
}

/// Returns the error that a body throws, or nil.
private func error(_ body: () throws -> Void) -> DBClientError? {
    do {
        try body()
        return nil
    } catch {
        return error as? DBClientError
    }
}

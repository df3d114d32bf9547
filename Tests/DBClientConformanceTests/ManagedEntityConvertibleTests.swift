import DBClientCore
import DBClientSQL
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

struct MemberRecord: Stored {
    let id: Int
    var name: String
    var team: String

    static let schema = Schema<MemberRecord>(
        name: "MemberRecord",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.name, "name"), .field(\.team, "team"),
        ]
    )

    var primaryKey: Int { id }

    init(id: Int, name: String, team: String) {
        self.id = id
        self.name = name
        self.team = team
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        team = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(team)
    }
}

struct MemberRow: Stored, Equatable {
    let id: Int
    var name: String
    var team: TeamRow
    var note: String

    static let schema = Schema<MemberRow>(
        name: "MemberRow",
        fields: [
            .field(\.note, "note"), .field(\.id, "id", primaryKey: .given), .field(\.name, "name"),
            .field(\.team, "teamId"),
        ]
    )

    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        note = try row.read()
        id = try row.read()
        name = try row.read()
        team = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(note)
        try row.write(id)
        try row.write(name)
        try row.write(team)
    }
}

struct TeamRow: Stored, Equatable {
    var id = 0
    var name: String

    static let schema = Schema<TeamRow>(
        name: "TeamRow",
        fields: [
            .field(\.id, "id", primaryKey: .generated), .field(\.name, "name", index: .unique),
        ]
    )

    var primaryKey: Int { id }

    init(name: String) { self.name = name }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
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

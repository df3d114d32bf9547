import DBClientCore
import DBClientSQL
import DBClientTesting
import Testing

/// Foreign keys of the tables' maker, on each engine that speaks SQL.
@Suite(.serialized)
struct ForeignKeyTests {
    private static let backends = Backends.chosen.filter {
        $0.name.hasPrefix("SQLite") || $0.name == "PostgreSQL"
    }

    private func withClient(
        of backend: ConformanceBackend,
        _ statements: SQL...,
        body: (SQLDBClient) async throws -> Void
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try #require(try await store.open() as? SQLDBClient)
        defer { try? client.close() }
        for statement in statements { try await client.execute(statement) }
        try await body(client)
    }

    private func code(_ body: () async throws -> Void) async -> DBClientError.Code? {
        await #expect(throws: DBClientError.self) { try await body() }?.code
    }

    private static let makers: SQL = #"CREATE TABLE "Maker" ("id" BIGINT NOT NULL PRIMARY KEY)"#

    private static func wares(_ rule: String) -> SQL {
        """
        CREATE TABLE "Ware" ("id" BIGINT NOT NULL PRIMARY KEY,
            "maker" BIGINT REFERENCES "Maker" ("id") \(raw: rule))
        """
    }

    @Test("A key that would be broken is told by the library's own codes", arguments: backends)
    func codes(_ backend: ConformanceBackend) async throws {
        for rule in ["", "ON DELETE RESTRICT"] {
            try await withClient(of: backend, Self.makers, Self.wares(rule)) { client in
                #expect(
                    await code { try await client.insert(Ware(id: 1, maker: 9)) }
                        == .danglingReference
                )
                try await client.insert(Maker(id: 1))
                try await client.insert(Ware(id: 1, maker: 1))
                #expect(
                    await code {
                        try await client.update(Ware.self, key: 1) { $0.set(\.maker, to: 9) }
                    } == .danglingReference
                )
                #expect(await code { try await client.delete(Maker(id: 1)) } == .deletionDenied)
                #expect(
                    await code { try await client.delete(Maker.where { $0.id > 0 }) }
                        == .deletionDenied
                )
                #expect(
                    await code { try await client.execute(#"DELETE FROM "Maker""#) }
                        == .deletionDenied
                )
                #expect(
                    await code { try await client.migrate([.delete("Maker")]) } == .deletionDenied
                )
                #expect(try await client.findAll(Maker.self) == [Maker(id: 1)])
                #expect(try await client.findAll(Ware.self) == [Ware(id: 1, maker: 1)])
            }
        }
    }

    @Test("A key that waits for the commit fails its own unit alone", arguments: backends)
    func deferredKeys(_ backend: ConformanceBackend) async throws {
        let rule = "DEFERRABLE INITIALLY DEFERRED"
        try await withClient(of: backend, Self.makers, Self.wares(rule)) { client in
            try await client.write { transaction in
                try transaction.insert(Ware(id: 1, maker: 1))
                try transaction.insert(Maker(id: 1))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 2...40 {
                    group.addTask {
                        do {
                            try await client.insert(Ware(id: id, maker: id % 2 == 0 ? 1 : 99))
                            #expect(id % 2 == 0)
                        } catch let error as DBClientError {
                            #expect(error.code == .danglingReference && id % 2 == 1)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await client.count(Ware.all) == 21)
        }
    }

    @Test("Holders are changed before what they hold is deleted", arguments: backends)
    func orderOfDeletion(_ backend: ConformanceBackend) async throws {
        try await withClient(
            of: backend,
            Self.makers,
            Self.wares(""),
            """
            CREATE TABLE "Piece" ("id" BIGINT NOT NULL PRIMARY KEY,
                "ware" BIGINT NOT NULL REFERENCES "Ware" ("id"))
            """
        ) { client in
            try await client.insert(
                (1...3).map { HeldWare(id: $0, maker: $0 < 3 ? Maker(id: 1) : nil) }
            )
            try await client.insert((1...9).map { Piece(id: $0, ware: Reference($0 % 3 + 1)) })
            try await client.delete(Maker(id: 1))
            #expect(try await client.findAll(HeldWare.self).allSatisfy { $0.maker == nil })
            try await client.delete(HeldWare.self, key: 1)
            #expect(try await client.findAll(Piece.self).map(\.id) == [1, 2, 4, 5, 7, 8])
            try await client.deleteAll(HeldWare.self)
            #expect(try await client.count(Piece.all) == 0)
        }
    }

    @Test("What holds each other in circles goes together", arguments: backends)
    func circles(_ backend: ConformanceBackend) async throws {
        let nodes: SQL = """
            CREATE TABLE "Knot" ("id" BIGINT NOT NULL PRIMARY KEY,
                "next" BIGINT REFERENCES "Knot" ("id"), "boss" BIGINT REFERENCES "Knot" ("id"))
            """
        try await withClient(of: backend, nodes) { client in
            try await client.insert((1...20).map { Knot(id: $0) })
            // A chain whose last row is held by the first, and another one that is open.
            for id in 1...20 {
                try await client.update(Knot.self, key: id) {
                    $0.set(\.next, to: id == 1 ? Reference(10) : Reference(id - 1))
                }
            }
            try await client.update(Knot.self, key: 11) { $0.set(\.next, to: nil) }
            #expect(try await client.delete(Knot.self, keys: [14]) == 1)
            #expect(try await client.findAll(Knot.self).map(\.id) == Array(1...13))
            #expect(try await client.delete(Knot.self, keys: [4]) == 1)
            #expect(try await client.findAll(Knot.self).map(\.id) == [11, 12, 13])
            try await client.update(Knot.self, key: 11) { $0.set(\.boss, to: Reference(13)) }
            #expect(
                await code { try await client.delete(Knot.self, key: 13) } == .deletionDenied
            )
            #expect(try await client.deleteAll(Knot.self) == 3)
        }
    }

    @Test(
        "What holds each other across tables goes together if the keys may wait",
        arguments: backends
    )
    func circlesOfTables(_ backend: ConformanceBackend) async throws {
        let right = #"FOREIGN KEY ("right") REFERENCES "Right" ("id") DEFERRABLE"#
        let left = #"REFERENCES "Left" ("id") DEFERRABLE"#
        // One of the two is there before the other: SQLite looks at neither, PostgreSQL has the key added.
        let isSQLite = backend.name.hasPrefix("SQLite")
        let inline = isSQLite ? ", \(right)" : ""
        let added = isSQLite ? "SELECT 1" : "ALTER TABLE \"Left\" ADD \(right)"
        try await withClient(
            of: backend,
            """
            CREATE TABLE "Left" ("id" BIGINT NOT NULL PRIMARY KEY, "right" BIGINT \(raw: inline))
            """,
            """
            CREATE TABLE "Right" ("id" BIGINT NOT NULL PRIMARY KEY, "left" BIGINT \(raw: left))
            """
        ) { client in
            if !isSQLite { try await client.execute("\(raw: added)") }
            try await client.insert(LeftSide(id: 1, right: nil))
            try await client.insert(RightSide(id: 1, left: Reference(1)))
            try await client.update(LeftSide(id: 1, right: Reference(1)))
            try await client.delete(LeftSide.self, key: 1)
            #expect(try await client.count(LeftSide.all) == 0)
            #expect(try await client.count(RightSide.all) == 0)
        }
    }

    @Test("Links go with an owner that a statement deletes", arguments: backends)
    func linksOfDeletedRows(_ backend: ConformanceBackend) async throws {
        try await withClient(of: backend) { client in
            let pieces = [Lid(id: 1), Lid(id: 2)]
            try await client.insert([Box(id: 1, lids: pieces), Box(id: 2, lids: pieces)])
            try await client.execute(#"DELETE FROM "Box" WHERE "id" = 1"#)
            try await expectLinks(2, client)
            try await client.insert(Box(id: 1, lids: []))
            #expect(try await client.find(Box.self, key: 1)?.lids.isEmpty == true)
            try await client.execute(#"DELETE FROM "Box""#)
            try await expectLinks(0, client)
            try await client.upsert(Box(id: 2, lids: [Lid(id: 2)]))
            #expect(try await client.findAll(Box.self) == [Box(id: 2, lids: [Lid(id: 2)])])
            try await client.migrate([.delete("Box")])
            try await client.insert(Box(id: 1, lids: pieces))
            try await client.execute(#"DELETE FROM "Box""#)
            try await expectLinks(0, client)
        }
    }

    @Test("A save replaces links that are left of a store from before", arguments: backends)
    func linksThatAreLeft(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let untie: SQL =
            backend.name == "PostgreSQL"
            ? #"ALTER TABLE "Box_lids" DROP CONSTRAINT dbclient_owner"#
            : #"DROP TRIGGER "dbclient_links_Box_lids""#
        let lids = [Lid(id: 1), Lid(id: 2)]
        for isInserted in [true, false] {
            let client = try #require(try await store.open() as? SQLDBClient)
            defer { try? client.close() }
            try await client.upsert((1...4).map { Box(id: $0, lids: lids) })
            try await client.execute(untie)
            try await client.execute(#"DELETE FROM "Box""#)
            try await expectLinks(8, client)
            if isInserted {
                try await client.insert([Box(id: 1, lids: []), Box(id: 2, lids: [Lid(id: 2)])])
                try await client.write { _ = try $0.entities.insert(Box(id: 3, lids: [])) }
            } else {
                try await client.upsert([
                    Box(id: 1, lids: []), Box(id: 2, lids: [Lid(id: 2)]), Box(id: 3, lids: []),
                ])
            }
            #expect(
                try await client.findAll(Box.self) == [
                    Box(id: 1, lids: []), Box(id: 2, lids: [Lid(id: 2)]), Box(id: 3, lids: []),
                ]
            )
            try await client.deleteAll(Box.self)
            if backend.name.hasSuffix("in memory") { break }
            if backend.name == "PostgreSQL" {
                try await client.execute(#"DELETE FROM "Box_lids""#)
                try await client.execute(
                    #"ALTER TABLE "Box_lids" ADD CONSTRAINT dbclient_owner FOREIGN KEY ("owner") REFERENCES "Box" ("id")"#
                )
            }
        }
    }

    private func expectLinks(_ count: Int, _ client: SQLDBClient) async throws {
        let rows = try await client.rows(#"SELECT count(*) AS n FROM "Box_lids""#)
        #expect(rows.first?["n", as: Int.self] == count)
    }
}

@Stored private struct Maker: Hashable {
    @PrimaryKey let id: Int
}

@Stored private struct Ware: Equatable {
    @PrimaryKey let id: Int
    var maker: Int?
}

@Stored("Ware") private struct HeldWare: Equatable {
    @PrimaryKey let id: Int
    var maker: Maker?
}

@Stored private struct Piece: Equatable {
    @PrimaryKey let id: Int
    @Relationship(onDelete: .cascade) var ware: Reference<HeldWare>
}

@Stored private struct Knot: Equatable {
    @PrimaryKey let id: Int
    @Relationship(onDelete: .cascade) var next: Reference<Knot>?
    @Relationship(onDelete: .deny) var boss: Reference<Knot>?
}

@Stored("Left") private struct LeftSide: Equatable {
    @PrimaryKey let id: Int
    @Relationship(onDelete: .cascade) var right: Reference<RightSide>?
}

@Stored("Right") private struct RightSide: Equatable {
    @PrimaryKey let id: Int
    @Relationship(onDelete: .cascade) var left: Reference<LeftSide>?
}

@Stored private struct Box: Equatable {
    @PrimaryKey let id: Int
    var lids: [Lid]
}

@Stored private struct Lid: Equatable {
    @PrimaryKey let id: Int
}

import DBClientCore
import DBClientSQL
import DBClientSQLite
import DBClientTesting
import Foundation
import Testing

/// What is said of a table that does not fit its model, on each engine that speaks SQL.
@Suite(.serialized)
struct MisfitTests {
    private static let backends = Backends.chosen.filter {
        $0.name.hasPrefix("SQLite") || $0.name == "PostgreSQL"
    }

    private func misfit(
        of backend: ConformanceBackend,
        _ statements: SQL...,
        prepare: (SQLDBClient) async throws -> Void = { _ in }
    ) async throws -> DBClientError {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try #require(try await store.open() as? SQLDBClient)
        defer { try? client.close() }
        try await prepare(client)
        for statement in statements { try await client.execute(statement) }
        let errors = [
            await #expect(throws: DBClientError.self) { try await client.findAll(Ship.self) },
            await #expect(throws: DBClientError.self) { try await client.insert(Ship.sample) },
        ]
        #expect(errors.allSatisfy { $0?.code == .schemaMismatch && $0?.entity == "Ship" })
        #expect(errors[0]?.message == errors[1]?.message)
        return try #require(errors[0])
    }

    @Test("Each column is named, with the type found and the type wanted", arguments: backends)
    func everyColumn(_ backend: ConformanceBackend) async throws {
        let isSQLite = backend.name.hasPrefix("SQLite")
        let error = try await misfit(
            of: backend,
            """
            CREATE TABLE "Ship" ("id" BIGINT NOT NULL PRIMARY KEY, "name" BIGINT NOT NULL,
                "note" TEXT NOT NULL, "mass" TEXT NOT NULL, "port" TEXT NOT NULL)
            """
        )
        let parts = [
            "name: The column's declared type \(isSQLite ? "BIGINT" : "bigint") cannot hold a text;"
                + " \(isSQLite ? "TEXT" : "text") can.",
            "note: The field may be absent, the column is \(isSQLite ? "TEXT" : "text") NOT NULL.",
            "mass: The column's declared type \(isSQLite ? "TEXT" : "text") cannot hold a double;"
                + " \(isSQLite ? "REAL" : "double precision") can.",
            "launched: The table has no column for the field, of the type"
                + " \(isSQLite ? "INTEGER" : "timestamp with time zone").",
            "port: The table requires a column, \(isSQLite ? "TEXT" : "text") NOT NULL, that the model"
                + " lacks.",
        ]
        #expect(error.message.hasPrefix("The table differs from the model in 5 ways."))
        for part in parts { #expect(error.message.contains(part), "\(part)\n\(error.message)") }
        #expect(error.field == "name")
    }

    @Test("The statements of the advice make the table fit", arguments: backends)
    func repair(_ backend: ConformanceBackend) async throws {
        let isSQLite = backend.name.hasPrefix("SQLite")
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try #require(try await store.open() as? SQLDBClient)
        defer { try? client.close() }
        if isSQLite {
            try await client.execute(#"CREATE TABLE "Ship" ("id" BIGINT NOT NULL, "mass" DOUBLE)"#)
            try await client.execute(#"INSERT INTO "Ship" VALUES (1, 2.5)"#)
        } else {
            try await client.execute(
                """
                CREATE TABLE "Ship" ("id" bigint NOT NULL, "name" bigint NOT NULL,
                    "note" text NOT NULL, "mass" text NOT NULL, "port" text NOT NULL)
                """
            )
            try await client.execute(#"INSERT INTO "Ship" VALUES (1, 7, 'n', '2.5', 'p')"#)
        }
        let error = await #expect(throws: DBClientError.self) {
            try await client.findAll(Ship.self)
        }
        let hint = try #require(error?.hint)
        let statements = hint.matches(of: #/(ALTER TABLE|CREATE UNIQUE INDEX) [^;]*;/#)
            .map { String($0.output.0) }
        #expect(statements.count == (isSQLite ? 4 : 6), "\(hint)")
        for statement in statements { try await client.execute("\(raw: statement)") }
        try await client.execute(
            """
            UPDATE "Ship" SET "launched" = \(raw: isSQLite ? "0" : "'epoch'"),
                "name" = coalesce("name", '7')
            """
        )
        let ship = try await client.findAll(Ship.self).first
        #expect(ship?.name == "7" && ship?.mass == 2.5)
        try await client.insert(Ship(id: 2, name: "b", note: nil, mass: 1, launched: Date()))
    }

    @Test("A column that cannot be changed in place is named with what it must be")
    func noRepair() async throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        defer { try? client.close() }
        try await client.execute(
            """
            CREATE TABLE "Ship" ("id" BIGINT NOT NULL PRIMARY KEY, "name" BIGINT NOT NULL,
                "note" TEXT NOT NULL, "mass" REAL NOT NULL, "launched" INTEGER NOT NULL)
            """
        )
        let error = await #expect(throws: DBClientError.self) {
            try await client.findAll(Ship.self)
        }
        #expect(error?.hint?.contains("column name in place: copy the rows") == true)
        #expect(error?.hint?.contains("in which it is TEXT COLLATE BINARY.") == true)
        #expect(
            error?.hint?.contains("in which it is TEXT COLLATE BINARY and may be null.") == true
        )
    }

    @Test("A migration is the advice for the library's own tables alone", arguments: backends)
    func advice(_ backend: ConformanceBackend) async throws {
        let foreign = try await misfit(
            of: backend,
            #"CREATE TABLE "Ship" ("id" BIGINT NOT NULL PRIMARY KEY, "name" TEXT NOT NULL)"#
        )
        #expect(foreign.hint?.contains("did not make the table") == true)
        #expect(foreign.hint?.contains("Migrate") == false)
        let own = try await misfit(of: backend) {
            try await $0.insert(FormerShip(id: 1, name: "a"))
        }
        #expect(own.message.contains("differs from the model in 3 ways"))
        #expect(own.hint?.contains("Migrate the store") == true)
        let written = try await misfit(of: backend) {
            try await $0.insert(HeavyShip(id: 1, name: "a", mass: 1, launched: Date()))
        }
        #expect(written.field == "mass")
        #expect(written.message == "The stored field is int64; the model's is double.")
        #expect(written.hint?.contains("Migrate the store") == true)
        let key = try await misfit(
            of: backend,
            """
            CREATE TABLE "Ship" ("id" BIGINT NOT NULL, "name" TEXT NOT NULL PRIMARY KEY, "note" TEXT,
                "mass" DOUBLE PRECISION NOT NULL,
                "launched" \(raw: instants(backend)) NOT NULL)
            """
        )
        #expect(key.message == "The model's primary key (id) is not unique in the table.")
        #expect(key.hint?.contains("Migrate") == false)
    }

    private func instants(_ backend: ConformanceBackend) -> String {
        backend.name.hasPrefix("PostgreSQL") ? "timestamptz" : "INTEGER"
    }

    @Test("What has no key is read, and its rows are not written", arguments: backends)
    func keyless(_ backend: ConformanceBackend) async throws {
        let columns: SQL = """
            "id" BIGINT NOT NULL, "name" TEXT NOT NULL, "note" TEXT, "mass" DOUBLE PRECISION NOT NULL,
            "launched" \(raw: instants(backend)) NOT NULL
            """
        for isView in [false, true] {
            let store = try backend.makeStore()
            defer { store.remove() }
            let client = try #require(try await store.open() as? SQLDBClient)
            defer { try? client.close() }
            try await client.execute(
                "CREATE TABLE \(identifier: isView ? "Base" : "Ship") (\(columns))"
            )
            if isView { try await client.execute(#"CREATE VIEW "Ship" AS SELECT * FROM "Base""#) }
            let value = backend.name.hasPrefix("PostgreSQL") ? "'1970-01-01Z'" : "0"
            try await client.execute(
                """
                INSERT INTO \(identifier: isView ? "Base" : "Ship") ("id", "name", "mass", "launched")
                VALUES (1, 'a', 1.5, \(raw: value)), (2, 'b', 2.5, \(raw: value))
                """
            )
            #expect(try await client.findAll(Ship.self).map(\.name) == ["a", "b"])
            #expect(try await client.find(Ship.self, key: 2)?.mass == 2.5)
            #expect(try await client.count(Ship.where { $0.mass > 2 }) == 1)
            for write in [
                { try await client.insert(Ship.sample) },
                { try await client.update(Ship.sample) },
                { _ = try await client.upsert(Ship.sample) },
                { _ = try await client.delete(Ship.all) },
            ] as [() async throws -> Void] {
                let error = await #expect(throws: DBClientError.self) { try await write() }
                #expect(error?.code == .schemaMismatch && error?.entity == "Ship")
                #expect(error?.message.contains("has no key") == true)
            }
            #expect(try await client.count(Ship.all) == 2)
        }
    }

    @Test("A column that the model lacks and a row needs stops new rows alone", arguments: backends)
    func required(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try #require(try await store.open() as? SQLDBClient)
        defer { try? client.close() }
        try await client.execute(
            """
            CREATE TABLE "Ship" ("id" BIGINT NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, "note" TEXT,
                "mass" DOUBLE PRECISION NOT NULL, "launched" \(raw: instants(backend)) NOT NULL,
                "port" TEXT NOT NULL)
            """
        )
        let value = backend.name.hasPrefix("PostgreSQL") ? "'1970-01-01Z'" : "0"
        try await client.execute(
            "INSERT INTO \"Ship\" VALUES (1, 'a', NULL, 1.5, \(raw: value), 'p'), (2, 'b', NULL, 2.5, \(raw: value), 'q')"
        )
        var ships = try await client.findAll(Ship.self)
        ships[0].name = "c"
        try await client.update(ships[0])
        try await client.delete(Ship.self, key: 2)
        #expect(try await client.findAll(Ship.self) == [ships[0]])
        for write in [
            {
                try await client.insert(Ship(id: 3, name: "", note: nil, mass: 1, launched: Date()))
            },
            {
                _ = try await client.upsert(
                    Ship(id: 3, name: "", note: nil, mass: 1, launched: Date())
                )
            },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: DBClientError.self) { try await write() }
            #expect(error?.code == .schemaMismatch && error?.field == "port")
        }
    }
}

@Stored private struct Ship: Equatable {
    @PrimaryKey let id: Int
    var name: String
    var note: String?
    var mass: Double
    var launched: Date

    static let sample = Ship(id: 1, name: "a", note: nil, mass: 1, launched: Date())
}

@Stored("Ship") private struct FormerShip: Equatable {
    @PrimaryKey let id: Int
    var name: String
}

@Stored("Ship") private struct HeavyShip: Equatable {
    @PrimaryKey let id: Int
    var name: String
    var note: String?
    var mass: Int
    var launched: Date
}

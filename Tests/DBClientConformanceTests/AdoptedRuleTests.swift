import DBClientCore
import DBClientSQL
import DBClientTesting
import Testing

/// Rules of deletion of tables that another program made and filled, of which this program never wrote a value that
/// holds another.
@Suite(.serialized)
struct AdoptedRuleTests {
    private static let backends = Backends.chosen.filter {
        $0.name.hasPrefix("SQLite") || $0.name == "PostgreSQL"
    }

    /// How a program comes to use the model that holds others, before it deletes what is held.
    enum Use: CaseIterable, Sendable {
        case fetch
        case find
        case count
        case exists
        case pendingChanges
        case migrate

        fileprivate func run<Model: Stored>(
            _ type: Model.Type,
            _ client: SQLDBClient
        ) async throws where Model.PrimaryKey == Int {
            switch self {
            case .fetch: _ = try await client.fetch(Model.all)
            case .find: _ = try await client.find(Model.self, key: 1)
            case .count: _ = try await client.count(Model.all)
            case .exists: _ = try await client.exists(Model.self, key: 1)
            case .pendingChanges: _ = try await client.pendingChanges(of: [.adapt(Model.self)])
            case .migrate: try await client.migrate(to: Model.self)
            }
        }
    }

    private func withClient(
        of backend: ConformanceBackend,
        body: (SQLDBClient) async throws -> Void
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try #require(try await store.open() as? SQLDBClient)
        defer { try? client.close() }
        let statements: [SQL] = [
            #"CREATE TABLE "Album" ("id" BIGINT NOT NULL PRIMARY KEY, "name" TEXT)"#,
            """
            CREATE TABLE "Song" ("id" BIGINT NOT NULL PRIMARY KEY, "album" BIGINT, "title" TEXT)
            """,
            #"INSERT INTO "Album" VALUES (1, 'a'), (2, 'b')"#,
            #"INSERT INTO "Song" VALUES (1, 1, 'x'), (2, 2, 'y'), (3, NULL, 'z')"#,
        ]
        for statement in statements { try await client.execute(statement) }
        try await body(client)
    }

    private func songs(_ client: SQLDBClient) async throws -> [[Int?]] {
        try await client.rows(#"SELECT "id", "album" FROM "Song" ORDER BY "id""#)
            .map { [$0["id", as: Int.self], $0["album", as: Int?.self] ?? nil] }
    }

    @Test("A rule is in force once the model was used", arguments: backends, Use.allCases)
    func rules(_ backend: ConformanceBackend, _ use: Use) async throws {
        try await withClient(of: backend) { client in
            try await use.run(NullifyingSong.self, client)
            #expect(try await client.delete(Album.self, key: 1))
            #expect(try await songs(client) == [[1, nil], [2, 2], [3, nil]])
        }
        try await withClient(of: backend) { client in
            try await use.run(CascadingSong.self, client)
            #expect(try await client.delete(Album.where { $0.id == 1 }) == 1)
            #expect(try await songs(client) == [[2, 2], [3, nil]])
        }
        try await withClient(of: backend) { client in
            try await use.run(DenyingSong.self, client)
            let error = await #expect(throws: DBClientError.self) {
                try await client.delete(Album.self, keys: [1])
            }
            #expect(error?.code == .deletionDenied)
            #expect(error?.entity == "Song")
            #expect(try await songs(client) == [[1, 1], [2, 2], [3, nil]])
            #expect(try await client.count(Album.all) == 2)
        }
        try await withClient(of: backend) { client in
            try await use.run(WeakSong.self, client)
            #expect(try await client.deleteAll(Album.self) == 2)
            #expect(try await songs(client) == [[1, 1], [2, 2], [3, nil]])
        }
    }

    @Test("Of a model that the program does not use no rule is known", arguments: backends)
    func unusedModel(_ backend: ConformanceBackend) async throws {
        try await withClient(of: backend) { client in
            #expect(try await client.delete(Album.self, key: 1))
            #expect(try await songs(client) == [[1, 1], [2, 2], [3, nil]])
            // What dangles is read by its rule.
            let nullified = try await client.findAll(NullifyingSong.self)
            #expect(nullified.map(\.album?.id) == [nil, 2, nil])
            #expect(try await client.findAll(WeakSong.self).map(\.album?.id) == [nil, 2, nil])
            let error = await #expect(throws: DBClientError.self) {
                try await client.findAll(CascadingSong.self)
            }
            #expect(error?.code == .danglingReference)
            #expect(error?.key == "1")
            #expect(try await client.find(CascadingSong.self, key: 2)?.album?.name == "b")
        }
    }
}

@Stored private struct Album: Hashable {
    @PrimaryKey let id: Int
    var name: String?
}

@Stored("Song") private struct NullifyingSong: Equatable {
    @PrimaryKey let id: Int
    var album: Album?
    var title: String?
}

@Stored("Song") private struct CascadingSong: Equatable {
    @PrimaryKey let id: Int
    @Relationship(onDelete: .cascade) var album: Album?
    var title: String?
}

@Stored("Song") private struct DenyingSong: Equatable {
    @PrimaryKey let id: Int
    @Relationship(onDelete: .deny) var album: Album?
    var title: String?
}

@Stored("Song") private struct WeakSong: Equatable {
    @PrimaryKey let id: Int
    @Relationship(onDelete: .weak) var album: Album?
    var title: String?
}

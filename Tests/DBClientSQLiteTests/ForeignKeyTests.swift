import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

/// Foreign keys and triggers of others, and the links that go with their owners.
@Suite struct ForeignKeyTests {
    private static let tables = """
        CREATE TABLE Maker (id INTEGER NOT NULL PRIMARY KEY);
        CREATE TABLE Ware (id INTEGER NOT NULL PRIMARY KEY,
            maker INTEGER REFERENCES Maker (id) ON DELETE CASCADE);
        CREATE TABLE Part (id INTEGER NOT NULL PRIMARY KEY,
            maker INTEGER REFERENCES Ware (id) ON DELETE SET NULL) WITHOUT ROWID;
        CREATE TABLE Count (id INTEGER NOT NULL PRIMARY KEY, maker INTEGER);
        CREATE TRIGGER counting AFTER DELETE ON Part BEGIN
            INSERT INTO Count VALUES (OLD.id, NULL);
        END;
        CREATE TABLE Tree (id INTEGER NOT NULL PRIMARY KEY,
            maker INTEGER REFERENCES Tree (id) ON DELETE CASCADE);
        """

    private func next<Model: Stored>(
        _ iterator: inout ChangeStream<Model>.AsyncIterator
    ) async throws -> [Model] {
        let change = try #require(try await iterator.next())
        return Array(change.objects)
    }

    @Test func observersAreToldOfWhatTheDatabaseWrites() async throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        #expect(RawConnection(folder.store).run(Self.tables) == 0)
        try await client.insert([Maker(id: 1), Maker(id: 2)])
        try await client.insert((1...4).map { Ware(id: $0, maker: $0 % 2 + 1) })
        try await client.insert((1...4).map { Part(id: $0, maker: $0) })
        try await client.insert((1...5).map { Tree(id: $0, maker: $0 == 1 ? nil : $0 - 1) })
        var wares = client.observe(Ware.all).makeAsyncIterator()
        var parts = client.observe(Part.all).makeAsyncIterator()
        var counts = client.observe(Count.all).makeAsyncIterator()
        var trees = client.observe(Tree.all).makeAsyncIterator()
        _ = try await next(&wares)
        _ = try await next(&parts)
        _ = try await next(&counts)
        _ = try await next(&trees)
        try await client.delete(Maker(id: 1))
        #expect(try await next(&wares).map(\.id) == [1, 3])
        #expect(try await next(&parts).map(\.maker) == [1, nil, 3, nil])
        try await client.delete(Part.where { $0.id == 2 })
        #expect(try await next(&counts).map(\.id) == [2])
        try await client.delete(Tree.self, keys: [3])
        #expect(try await next(&trees).map(\.id) == [1, 2])
    }

    @Test func linksOfAnOwnerDoNotHideWhatACallDoes() async throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try await client.insert([
            Crate(id: 1, parts: [Maker(id: 1)]), Crate(id: 2, parts: [Maker(id: 2)]),
        ])
        var feed = client.changes(of: Crate.self).makeAsyncIterator()
        try await client.delete(Crate.self, key: 1)
        let commit = try #require(try await feed.next())
        #expect(!commit.hasUntrackedChanges && commit.deleted.count == 1)
    }

    @Test func linksGoWithAnOwnerThatAnotherProgramDeletes() async throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try await client.insert([
            Crate(id: 1, parts: [Maker(id: 1)]), Crate(id: 2, parts: [Maker(id: 1)]),
        ])
        let program = RawConnection(folder.store)
        #expect(program.run("DELETE FROM Crate WHERE id = 1") == 0)
        #expect(try await client.rows("SELECT * FROM Crate_parts").count == 1)
        // A file from before has no trigger, and links of owners that are gone.
        #expect(program.run("DROP TRIGGER dbclient_links_Crate_parts") == 0)
        #expect(program.run("DELETE FROM Crate") == 0)
        try client.close()
        let later = try SQLDBClient.sqlite(at: folder.store)
        #expect(try await later.findAll(Crate.self).isEmpty)
        try await later.insert(Crate(id: 3, parts: []))
        #expect(try await later.rows("SELECT * FROM Crate_parts").isEmpty)
        #expect(program.run("DELETE FROM Crate") == 0)
        try await later.insert(Crate(id: 2, parts: [Maker(id: 1)]))
        #expect(program.run("DELETE FROM Crate") == 0)
        #expect(try await later.rows("SELECT * FROM Crate_parts").isEmpty)
    }

    @Test func aFileWithBrokenKeysIsWrittenWhereTheyAreSwitchedOff() throws {
        let folder = try TemporaryFolder()
        let program = RawConnection(folder.store)
        #expect(
            program.run(
                "CREATE TABLE Ware (id INTEGER NOT NULL PRIMARY KEY, maker INTEGER REFERENCES Gone)"
            ) == 0
        )
        let strict = try SQLDBClient.sqlite(at: folder.store)
        #expect(throws: DBClientError.self) {
            try strict.blocking.insert(Ware(id: 1, maker: 1))
        }
        try strict.close()
        var configuration = SQLiteConfiguration()
        configuration.obeysForeignKeys = false
        let client = try SQLDBClient.sqlite(at: folder.store, configuration: configuration)
        try client.blocking.insert(Ware(id: 1, maker: 1))
        #expect(try client.blocking.count(Ware.all) == 1)
    }
}

@Stored private struct Maker: Hashable {
    @PrimaryKey let id: Int
}

@Stored private struct Ware: Equatable {
    @PrimaryKey let id: Int
    var maker: Int?
}

@Stored private struct Part: Equatable {
    @PrimaryKey let id: Int
    var maker: Int?
}

@Stored private struct Count: Equatable {
    @PrimaryKey let id: Int
    var maker: Int?
}

@Stored private struct Tree: Equatable {
    @PrimaryKey let id: Int
    var maker: Int?
}

@Stored private struct Crate: Equatable {
    @PrimaryKey let id: Int
    var parts: [Maker]
}

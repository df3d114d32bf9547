#if Macros
import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import DBClientTesting
import Testing

@Stored struct Label: Equatable {
    @PrimaryKey let id: Int
    var name: String
    var country: Country
}

@Stored struct Country: Equatable {
    @PrimaryKey let code: String
    @Indexed var name: String
}

@Stored struct Track: Equatable {
    @PrimaryKey let album: Int
    @PrimaryKey let number: Int
    var title: String
}

@Stored struct Record: Equatable {
    @PrimaryKey let id: Int
    @Relationship(onDelete: .deny) var label: Label?
    var tracks: [Track]
    @Relationship(onDelete: .weak) var cover: Reference<Record>?
}

/// What loading and saving ask of an engine, whatever the number of values.
struct RelationshipLoadingTests {
    private static func clients() throws -> [CountingClient] {
        [
            CountingClient(InMemoryDBClient()),
            CountingClient(try ObjectStoreDBClient(.inMemory)),
            CountingClient(try SQLDBClient.sqlite(.inMemory)),
        ]
    }

    private static func records(_ count: Int) -> [Record] {
        (0..<count).map { id in
            let code = "c\(id % 7)"
            return Record(
                id: id,
                label: Label(
                    id: id % 300,
                    name: "label",
                    country: Country(code: "c\(id % 300 % 7)", name: code.isEmpty ? "" : "land")
                ),
                tracks: (0..<5).map { Track(album: id, number: $0, title: "t\($0)") },
                cover: Reference(id + 1)
            )
        }
    }

    @Test("A fetch asks once for each relationship, at any depth", arguments: [1, 40, 3_000])
    func loadsInBatches(_ count: Int) throws {
        for client in try Self.clients() {
            let records = Self.records(count)
            try client.blocking.insert(records)
            _ = client.calls.take()
            #expect(try client.blocking.fetch(Record.all) == records)
            #expect(
                client.calls.take() == [
                    "scan Record": 1, "lookUp Label": 1, "lookUp Country": 1,
                    "scan Record_tracks": 1, "lookUp Track": 1,
                ]
            )
            let found = try client.blocking.fetch(Record.where { $0.id < 2_000 })
            #expect(found.count == min(count, 2_000))
            #expect(client.calls.take().values.allSatisfy { $0 == 1 })
        }
    }

    @Test("SQLite runs a constant number of statements for any number of values")
    func preparesNoStatementForEach() throws {
        func prepared(_ count: Int) throws -> Int {
            let client = try SQLDBClient.sqlite(.inMemory)
            try client.blocking.insert(Self.records(count))
            return try client.blocking.write { transaction in
                let base = transaction
                let sql = try #require(try base.storeReader as? SQLTransaction)
                let before = sql.preparedCount
                let found = try transaction.fetch(Record.all)
                #expect(found.count == count)
                return sql.preparedCount - before
            }
        }
        let few = try prepared(200)
        let many = try prepared(4_000)
        #expect(few == 4)
        #expect(many == 4)
    }

    @Test("The object store goes through each entity once for any number of values")
    func passesOnceForEach() throws {
        for count in [40, 400, 3_000] {
            let client = try ObjectStoreDBClient(.inMemory)
            try client.blocking.insert(Self.records(count))
            let use = try client.blocking.read { transaction in
                let base = transaction
                func use() throws -> ObjectStoreUse {
                    try #require(ObjectStoreUse(of: try base.engineReader))
                }
                let before = try use()
                let found = try transaction.fetch(Record.all)
                #expect(found.count == count)
                return try use().since(before)
            }
            // Records and their links are walked; labels, countries and tracks are found by their keys.
            #expect(use.passCount == 5)
            #expect(use.keyCount == min(count, 300) + min(count, 7) + count * 5)
        }
    }

    @Test("Entities load what they hold for all in use at once", arguments: [1, 40, 1_000])
    func traversesInBatches(_ count: Int) throws {
        for client in try Self.clients() {
            try client.blocking.insert(Self.records(count))
            try client.blocking.write { transaction in
                let context = try transaction.entities
                let records = try context.fetch(Record.all)
                _ = client.calls.take()
                for record in records {
                    let id = try record.value(\Record.id)
                    let label = try #require(try record.entity(\Record.label))
                    #expect(try label.value(\Label.id) == id % 300)
                    #expect(try label.entity(\Label.country).value(\Country.name) == "land")
                    let tracks = try record.entities(\Record.tracks)
                    #expect(try tracks.map { try $0.value(\Track.number) } == [0, 1, 2, 3, 4])
                }
                #expect(
                    client.calls.take() == [
                        "lookUp Label": 1, "lookUp Country": 1, "scan Record_tracks": 1,
                        "lookUp Track": 1,
                    ]
                )
            }
        }
    }

    @Test("Changed entities of a kind are written at once, new ones before what holds them")
    func flushesInBulk() throws {
        for client in try Self.clients() {
            try client.blocking.insert(Self.records(50))
            try client.blocking.write { transaction in
                let context = try transaction.entities
                let records = try context.fetch(Record.all)
                let tracks = try records.flatMap { try $0.entities(\Record.tracks) }
                _ = client.calls.take()
                for track in tracks { try track.set(\Track.title, to: "new") }
                for (id, record) in records.enumerated() {
                    let label = try context.insert(Label.self, key: 1_000 + id)
                    try label.set(\Label.name, to: "l")
                    let land = Country(code: "n\(id % 3)", name: "n")
                    try label.set(\Label.country, to: land)
                    try record.set(\Record.label, to: label)
                    try record.set(\Record.tracks, to: record.entities(\Record.tracks).reversed())
                }
                try context.flush()
                let calls = client.calls.take()
                #expect(calls["insert Country"] == 1)
                #expect(calls["insert Label"] == 1)
                #expect(calls["update Record"] == 1)
                #expect(calls["update Track"] == 1)
                #expect(calls["delete Record_tracks"] == 1)
                #expect(calls["insert Record_tracks"] == 1)
            }
            let found = try client.blocking.fetch(Record.all)
            #expect(found.allSatisfy { $0.label?.country.name == "n" })
            #expect(found.allSatisfy { $0.tracks.map(\.number) == [4, 3, 2, 1, 0] })
            #expect(found.allSatisfy { $0.tracks.allSatisfy { $0.title == "new" } })
        }
    }

    @Test("A graph is saved entity by entity, in bulk", arguments: [1, 40, 3_000])
    func savesInBulk(_ count: Int) throws {
        for client in try Self.clients() {
            try client.blocking.insert(Self.records(count))
            let calls = client.calls.take()
            for entity in ["Record", "Label", "Country", "Track", "Record_tracks"] {
                #expect(calls["insert \(entity)"] == 1)
                #expect(calls["update \(entity)"] == nil)
            }
            #expect(calls.values.allSatisfy { $0 <= 2 })
        }
    }

    @Test("What is stored alike is not written again")
    func leavesEqualValuesAlone() throws {
        for client in try Self.clients() {
            var records = Self.records(50)
            try client.blocking.insert(records)
            _ = client.calls.take()
            try client.blocking.update(records)
            let calls = client.calls.take()
            #expect(
                calls.keys.filter { !$0.hasPrefix("scan") && !$0.hasPrefix("lookUp") }
                    == ["update Record"]
            )
            records[3].tracks[2].title = "changed"
            records[4].tracks.removeLast()
            try client.blocking.update(records)
            let written = client.calls.take()
            #expect(written["update Track"] == 1)
            #expect(written["insert Track"] == nil)
            #expect(written["update Label"] == nil)
            #expect(written["insert Record_tracks"] == 1)
            #expect(try client.blocking.fetch(Record.all) == records)
        }
    }

    @Test("An indexed field of what is held is found by its index")
    func explains() throws {
        let store = try ObjectStoreDBClient(.inMemory)
        try store.blocking.insert(Self.records(3_000))
        let request = Record.where { $0.label.id == 7 }
        #expect(try store.blocking.explain(request).contains("by index (label), 1 key"))
        let reached = Record.where { $0.label.name == "none" }
        #expect(try store.blocking.explain(reached).contains("by index (label), 0 keys"))
        let sqlite = try SQLDBClient.sqlite(.inMemory)
        try sqlite.blocking.insert(Self.records(3_000))
        let plan = try sqlite.blocking.explain(reached)
        #expect(plan.contains("Record_label_index"))
        #expect(!plan.contains("SCAN Record"))
        // What an index finds at the end of the way is joined from there, without a table in between.
        let joined = Record.where { $0.label.country.name == "land" && $0.id > 100 }
        let steps = try sqlite.blocking.explain(joined)
        #expect(!steps.contains("SCAN") && !steps.contains("SUBQUERY"))
        let found = try sqlite.blocking.fetch(joined)
        #expect(found == Array(Self.records(3_000)[101...]))
        #expect(try sqlite.blocking.count(joined) == found.count)
        #expect(try sqlite.blocking.count(Record.where { !($0.label.country.name == "land") }) == 0)
    }

    @Test("Who has an element that fulfils a condition is found by the index of the links")
    func findsOwnersByLinks() async throws {
        let records = Self.records(3_000)
        let reached = Record.where { $0.tracks.contains { $0.album == 7 && $0.number < 3 } }
        let without = Record.where { $0.id < 10 && !$0.tracks.contains { $0.album == 7 } }
        let inverse = records[7].tracks[0].inverse(of: \Record.tracks)
        let store = try ObjectStoreDBClient(.inMemory)
        try store.blocking.insert(records)
        let links = try #require(Record.schema.entity.relationships[1].link)
        let first = links.target.map {
            RowCondition.compare(column: $0, .equal, .integer(7), .binary)
        }
        for (request, passes) in [(reached, 7), (inverse, 4)] {
            let (use, plan) = try store.blocking.read { transaction in
                let base = transaction
                func use() throws -> ObjectStoreUse {
                    try #require(ObjectStoreUse(of: try base.engineReader))
                }
                let before = try use()
                #expect(try transaction.count(request) == 1)
                return try (
                    use().since(before),
                    base.engineReader.explain(RowQuery(links.entity, where: .all(first)))
                )
            }
            #expect(use.passCount == passes)
            #expect(
                plan == "search Record_tracks by index (target_album, target_number), 1 key"
            )
            #expect(try store.blocking.explain(request) == "search Record by primary key, 1 key")
        }
        for backend in Backends.chosen where backend.name.contains("SQL") {
            let made = try backend.makeStore()
            defer { made.remove() }
            let client = try await made.open()
            try await client.insert(records)
            if let client = client as? SQLDBClient, backend.name == "PostgreSQL" {
                // The server plans by what it knows of the tables.
                try await client.execute("ANALYZE")
            }
            for request in [reached, inverse] {
                let plan = try await client.explain(request)
                #expect(plan.contains("Record_tracks_target"))
                #expect(try await client.fetch(request) == [records[7]])
            }
            #expect(try await client.fetch(without).map(\.id) == [0, 1, 2, 3, 4, 5, 6, 8, 9])
            try client.close()
        }
    }

    @Test("A stored key that names nothing is a typed error that tells where")
    func refusesDanglingKeys() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert(Self.records(3))
        try client.blocking.write { transaction in
            _ = try transaction.execute("DELETE FROM Label WHERE id = 1")
        }
        let error = #expect(throws: DBClientError.self) {
            _ = try client.blocking.fetch(Record.all)
        }
        #expect(error?.code == .danglingReference)
        #expect(error?.entity == "Record")
        #expect(error?.field == "label")
        #expect(try client.blocking.find(Record.self, key: 0)?.label?.id == 0)
    }

    @Test("An observation ends when a key comes to name nothing")
    func observesDamage() async throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try await client.insert(Self.records(3))
        var all = client.observe(Record.all).makeAsyncIterator()
        var others = client.observe(Record.where { $0.id != 1 }).makeAsyncIterator()
        _ = try await all.next()
        _ = try await others.next()
        _ = try await client.execute("DELETE FROM Label WHERE id = 1")
        let error = await #expect(throws: DBClientError.self) { _ = try await all.next() }
        #expect(error?.code == .danglingReference)
        #expect(error?.field == "label")
        #expect(try await all.next() == nil)
        try await client.update(Label.self, key: 2) { $0.set(\.name, to: "renamed") }
        guard case .update(let changes)? = try await others.next() else {
            throw DBClientError(.notFound, "No update came.")
        }
        #expect(changes.modifications.map(\.new) == [1])
    }

    @Test("Of many values those are told that a commit concerns", arguments: [false, true])
    func tellsWhatIsConcerned(_ isPlaced: Bool) async throws {
        let clients: [any DBClient] = [
            InMemoryDBClient(), try ObjectStoreDBClient(.inMemory),
            try SQLDBClient.sqlite(.inMemory),
        ]
        for client in clients {
            try await client.insert(Self.records(600))
            let request =
                isPlaced
                ? Record.where { $0.label.name != "none" }.sorted { $0.label.name } : Record.all
            var iterator = client.observe(request).makeAsyncIterator()
            #expect(try await iterator.next()?.objects.count == 600)
            try await client.update(Label.self, key: 7) { $0.set(\.name, to: "renamed") }
            guard case .update(let changes)? = try await iterator.next() else {
                throw DBClientError(.notFound, "No update came.")
            }
            #expect(changes.modifications.map(\.element.id) == [7, 307])
            #expect(changes.moves.count == (isPlaced ? 2 : 0))
            let key = Track(album: 5, number: 1, title: "").primaryKey
            try await client.update(Track.self, key: key) { $0.set(\.title, to: "other") }
            guard case .update(let one)? = try await iterator.next() else {
                throw DBClientError(.notFound, "No update came.")
            }
            #expect(one.modifications.map(\.element.id) == [5])
        }
    }

    @Test("A count that depends on what values hold is observed")
    func observesCounts() async throws {
        let clients: [any DBClient] = [
            InMemoryDBClient(), try ObjectStoreDBClient(.inMemory),
            try SQLDBClient.sqlite(.inMemory),
        ]
        for client in clients {
            try await client.insert(Self.records(10))
            let renamed = Record.where { $0.label.name == "renamed" }
            var counts = client.observeCount(renamed).makeAsyncIterator()
            #expect(try await counts.next() == 0)
            try await client.update(Label.self, key: 3) { $0.set(\.name, to: "renamed") }
            #expect(try await counts.next() == 1)
            try await client.delete(Record.self, keys: [3])
            #expect(try await counts.next() == 0)
        }
    }

    @Test("A query names what it depends on, and whom a change concerns")
    func dependencies() throws {
        let query = try Record.where { $0.label.country.name == "land" }.rowQuery()
        let names = Set(query.dependencies.map(\.name))
        #expect(names == ["Record", "Label", "Country", "Track", "Record_tracks"])
        for client in try Self.clients() {
            try client.blocking.insert(Self.records(20))
            let found = try client.engine.readBlocking { reader in
                let changed = RowBuffer(Country.schema.entity)
                try reader.scan(RowQuery(Country.schema.entity)) { batch in
                    for row in 0..<batch.count where batch[row, 0].text == "c3" {
                        changed.append(copying: batch.row(row))
                    }
                    return true
                }
                let condition = try #require(
                    query.condition(
                        ofRowsThatDependOn: Country.schema.entity,
                        changed.batch
                    )
                )
                return try reader.count(RowQuery(query.entity, where: condition))
            }
            #expect(found == 3)
        }
    }
}
#endif

import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Foundation
import Testing

/// What a client finds out of a server, and does in place of what it lacks.
@Suite(.enabled(if: Server.isThere))
struct ServerFeatureTests {
    /// Runs a body with a client behind a filter, and the filter.
    private func with(
        _ profile: ServerProfile,
        _ configuration: PostgreSQLConfiguration = PostgreSQLConfiguration(),
        _ body: (SQLDBClient, FilterProxy, String) async throws -> Void
    ) async throws {
        try await Server.withClient { _, schema in
            let proxy = try FilterProxy(profile, to: Server.port)
            defer { proxy.close() }
            let client = try await Server.client(port: proxy.port, schema: schema, configuration)
            do {
                try await body(client, proxy, schema)
            } catch {
                try? client.close()
                throw error
            }
            try client.close()
        }
    }

    @Test("PostgreSQL lacks nothing")
    func lacksNothing() async throws {
        try await with(ServerProfile(name: "PostgreSQL")) { client, _, _ in
            let server = try #require(try await client.postgreSQLServer())
            #expect(server.product == "PostgreSQL")
            #expect(server.version.first?.isNumber == true)
            #expect(server.missing == [])
            // Nothing is left behind.
            #expect(try await client.findAll(Counter.self).isEmpty)
        }
    }

    @Test(
        "A product is known by what it reports",
        arguments: [ServerProfile.cockroachDB, .yugabyteDB]
    )
    func productIsKnown(_ profile: ServerProfile) async throws {
        try await with(profile) { client, _, _ in
            let server = try #require(try await client.postgreSQLServer())
            #expect(server.product == profile.name)
            #expect(profile.reports.values.contains { $0.contains(server.version) })
            #expect(
                server.missing.isSuperset(of: [.notifications, .advisoryLocks, .partitionTrees])
            )
        }
    }

    @Test("What is asked for is found missing, and the rest when a call is refused it")
    func featuresAreFound() async throws {
        try await with(.bare) { client, _, _ in
            let asked = try #require(try await client.postgreSQLServer()).missing
            #expect(
                asked.isSuperset(of: [
                    .clusterIdentifier, .statisticsReset, .recoveryState, .transactionNumbers,
                    .snapshots, .weakIsolation, .notifications, .temporaryTables, .advisoryLocks,
                    .functions, .writtenRowCounts, .partitionTrees, .tableSizes,
                ])
            )
            #expect(!asked.contains(.binaryCopy))
            try await client.insert((1...40).map { Counter($0) })
            try await client.upsert(Counter(1, 2))
            let found = try #require(try await client.postgreSQLServer()).missing
            #expect(found.subtracting(asked) == [.binaryCopy, .rowMarks])
        }
    }

    @Test("Opening asks for no feature, and for one that is missing once")
    func openingCosts() async throws {
        try await with(ServerProfile(name: "PostgreSQL")) { client, proxy, schema in
            // To begin the session, and to look for a journal.
            let opened = proxy.roundTrips
            #expect(opened <= 5)
            let second = try await Server.client(port: proxy.port, schema: schema)
            #expect(proxy.roundTrips - opened == opened)
            try second.close()
        }
        var configuration = PostgreSQLConfiguration()
        configuration.maximumLifetime = .microseconds(1)
        try await with(.bare, configuration) { client, proxy, _ in
            // The connection that was made ahead is too old already.
            #expect(proxy.roundTrips <= 9)
            let beginnings = { proxy.statements.count { $0.contains("server_encoding") } }
            let before = beginnings()
            // Each call opens a connection.
            for _ in 0..<5 { _ = try await client.find(Counter.self, key: 1) }
            #expect(beginnings() >= before + 5)
            #expect(proxy.statements.count { $0.contains("pg_control_system") } == 2)
        }
    }

    @Test("Many rows are inserted, replaced and updated by lists", arguments: [20, 5_000])
    func rowsAsLists(_ count: Int) async throws {
        try await with(.bare) { client, proxy, _ in
            try await client.insert((1...count).map { Counter($0, 1) })
            let outcome = try await client.upsert((count / 2...count + 10).map { Counter($0, 2) })
            #expect(outcome.inserted.count == 10)
            #expect(outcome.updated.count == count - count / 2 + 1)
            let counters = try await client.findAll(Counter.self)
            #expect(counters.count == count + 10)
            #expect(counters.count { $0.value == 2 } == count - count / 2 + 11)
            // The least of some, since a connection that was idle for long is asked whether it is there.
            var trips: [Int] = []
            for attempt in 1...4 {
                let before = proxy.roundTrips
                try await client.insert((0..<count).map { Counter(-attempt * count - $0) })
                trips.append(proxy.roundTrips - before)
            }
            print("\(count) rows took \(trips) round trips.")
            #expect(trips.contains { $0 <= 6 })
        }
    }

    @Test("A key that is taken is named, and nothing is written")
    func takenKey() async throws {
        try await with(.bare) { client, _, _ in
            try await client.insert(Counter(7))
            do {
                try await client.insert((1...40).map { Counter($0) })
                Issue.record("The key was taken twice.")
            } catch let error as DBClientError {
                #expect(error.code == .duplicateKey)
                #expect(error.key == "7")
            }
            #expect(try await client.count(Counter.all) == 1)
        }
    }

    @Test("Keys are made and moved past given ones without a lock of the table")
    func keysWithoutLocks() async throws {
        try await with(.bare) { client, _, _ in
            let first = try await client.insert(Note(0, "a"))
            try await client.insert(Note(1_000, "b"))
            let next = try await client.insert(Note(0, "c"))
            #expect(first.id < 1_000)
            #expect(next.id > 1_000)
            let many = try await client.insert((0..<30).map { Note(0, "n\($0)") })
            #expect(Set(many.map(\.id)).count == 30)
            #expect(many.allSatisfy { $0.id > next.id })
        }
    }

    @Test("Sessions that give keys beside those that make them get no key twice")
    func keysBesideEachOther() async throws {
        try await with(.bare) { client, _, _ in
            try await client.insert(Note(0, "first"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for number in 0..<15 {
                            let key = writer == 0 ? 100 * (number + 1) : 0
                            try await client.insert(Note(key, "\(writer) \(number)"))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let notes = try await client.findAll(Note.self)
            #expect(notes.count == 61)
        }
    }

    @Test("A journal is refused with the server and the feature", arguments: ServerProfile.all)
    func journalIsRefused(_ profile: ServerProfile) async throws {
        try await with(profile) { client, _, _ in
            do {
                try await client.installPostgreSQLJournal(for: Counter.self)
                Issue.record("The journal was installed.")
            } catch let error as DBClientError {
                #expect(error.code == .unsupported)
                #expect(error.message.contains("journal"))
                #expect(
                    error.message.contains(profile.reports.isEmpty ? "PostgreSQL" : profile.name)
                )
            }
            // The client is as good as before.
            try await client.insert(Counter(1))
        }
    }

    @Test("A journal that is there is read without notifications")
    func journalWithoutNotifications() async throws {
        let deaf = ServerProfile(
            name: "deaf",
            refusals: [
                .init("LISTEN dbclient", .syntaxError), .init("NOTIFY dbclient", .syntaxError),
            ]
        )
        try await with(deaf) { client, _, schema in
            try await client.installPostgreSQLJournal(for: Counter.self)
            let table = ObservedTable(client.observe(Counter.all))
            try await table.settle([])
            let foreign = try await Server.clientElsewhere(try #require(Server.url), schema: schema)
            for number in 1...3 {
                try await foreign.insert(Counter(number))
                try await table.settle((1...number).map { Counter($0) })
            }
            try foreign.close()
            #expect(try await client.postgreSQLServer()?.missing == [.notifications])
        }
    }

    @Test("The outcome of a commit stays unknown without numbers of transactions")
    func outcomeIsUnknown() async throws {
        try await with(.bare) { client, _, _ in
            try await client.insert(Counter(1))
            let error = DBClientError(.commitOutcomeUnknown, "It was not answered.")
            #expect(try await client.commitOutcome(of: error) == .unknown)
        }
    }

    @Test("A conversion is refused where tables cannot be locked, and nothing is changed")
    func conversionIsRefused() async throws {
        try await with(.bare) { client, _, _ in
            try await client.insert(Counter(1, 5))
            do {
                try await client.migrate([
                    .convert(Counter.self, to: Note.self) { Note($0.id, "\($0.value)") }
                ])
                Issue.record("The rows were converted.")
            } catch let error as DBClientError {
                #expect(error.code == .unsupported)
                #expect(error.message.contains("LOCK TABLE"))
            }
            #expect(try await client.find(Counter.self, key: 1) == Counter(1, 5))
        }
    }

    @Test("A server is refused that cannot compare texts by their bytes")
    func collationIsRefused() async throws {
        let profile = ServerProfile(
            name: "without collations",
            refusals: [.init("text COLLATE \"C\"", .undefinedObject("collation"))]
        )
        try await with(profile) { client, _, _ in
            do {
                try await client.insert(Note(0, "a"))
                Issue.record("The table was made.")
            } catch let error as DBClientError {
                #expect(error.code == .unsupported)
                #expect(error.message.contains("collation"))
            }
        }
    }

    @Test("A held snapshot is taken where levels below SERIALIZABLE are missing")
    func heldSnapshot() async throws {
        try await with(.bare) { client, _, _ in
            try await client.insert(Counter(1, 1))
            let results = try await client.results(of: Counter.all)
            try await client.update(Counter(1, 2))
            #expect(try results[0].value == 1)
        }
    }
}

import DBClientCore
import Foundation

/// The content of a store that is opened again.
enum ReopenCases {
    static let all: [ConformanceCase] = [
        reopening("everything that was written is there") { context in
            let heroes = (0..<500).map { Hero($0, "n\($0 % 7)", power: Double($0)) }
            try await context.client.insert(heroes)
            try await context.client.insert([EveryType.full(1), EveryType(2)])
            try await context.client.insert([Issue("A", 1), Issue("B", 2)])
            let client = try await context.reopen()
            try expectEqual(try await client.findAll(Hero.self), heroes)
            try expectEqual(
                try await client.findAll(EveryType.self),
                [EveryType.full(1), EveryType(2)]
            )
            try expectEqual(try await client.find(Issue.self, key: .init("B", 2)), Issue("B", 2))
        },
        reopening("one transaction reads several entities first thing") { context in
            try await context.client.insert(Hero(1))
            try await context.client.insert(Issue("A", 1))
            let client = try await context.reopen()
            let found = try await client.read { transaction in
                (try transaction.findAll(Hero.self), try transaction.findAll(Issue.self))
            }
            try expectEqual(found.0, [Hero(1)])
            try expectEqual(found.1, [Issue("A", 1)])
        },
        reopening("held values are read first thing") { context in
            let artist = Artist(1, "a", studio: Studio(7, "s"), skills: [Skill("x", 1)])
            try await context.client.insert(artist)
            let client = try await context.reopen()
            try expectEqual(try await client.findAll(Artist.self), [artist])
        },
        reopening("an index that the model gained is made by the next write") { context in
            try await context.client.insert([FormerAccount(1, email: "a"), FormerAccount(2)])
            let client = try await context.reopen()
            let holders = Account.where { $0.email == "a" }
            try expectEqual(try await client.fetch(holders).map(\.id), [1])
            try await client.insert(Account(3, email: "b", tenant: "t3"))
            try expectEqual(try await client.fetch(holders).map(\.id), [1])
            try await expectError(.uniqueViolation) {
                try await client.insert(Account(4, email: "a", tenant: "t4"))
            }
            try expectEqual(try await client.findAll(Account.self).map(\.id), [1, 2, 3])
            // A model that does not declare the index keeps it all the same.
            try await expectError(.uniqueViolation) {
                try await client.insert(FormerAccount(5, email: "b"))
            }
        },
        reopening("indexes serve as before") { context in
            try await context.client.insert((0..<100).map { Hero($0, "n\($0 % 7)") })
            let client = try await context.reopen()
            try await client.insert(Hero(100, "n3"))
            let found = try await client.fetch(Hero.where { $0.name == "n3" }).map(\.id)
            try expectEqual(found, (0...100).filter { $0 % 7 == 3 || $0 == 100 })
            let sorted = try await client.fetch(Hero.all.sorted { $0.name.descending }.limit(1))
            try expectEqual(sorted.map(\.id), [6])
        },
        reopening("unique values are still taken", requires: [.uniqueIndexes]) { context in
            try await context.client.insert(Account(1, email: "a@x", tenant: "t", login: "l"))
            let client = try await context.reopen()
            try await expectError(.uniqueViolation) {
                try await client.insert(Account(2, email: "a@x"))
            }
            try await expectError(.uniqueViolation) {
                try await client.insert(Account(2, tenant: "t", login: "l"))
            }
        },
        reopening("a generated integer is never reused", requires: [.generatedKeys]) { context in
            let first = try await context.client.insert([Ticket(title: "a"), Ticket(title: "b")])
            try await context.client.deleteAll(Ticket.self)
            let client = try await context.reopen()
            let next = try await client.insert(Ticket(title: "c"))
            try expect(!first.map(\.id).contains(next.id), "the key \(next.id) came again")
        },
        reopening("what was rolled back or deleted is not there") { context in
            try await context.client.insert([Hero(1), Hero(2)])
            try await context.client.delete(Hero.self, key: 1)
            try? await context.client.write { transaction in
                try transaction.insert(Hero(3))
                throw SuiteError.deliberate
            }
            let client = try await context.reopen()
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [2])
        },
        reopening("names that hold quotes are found again") { context in
            try await context.client.insert(HostileNames(1, keyword: "k", quotes: "q", emoji: 2))
            try await context.client.insert(ReservedNames("a", rowid: 3))
            let client = try await context.reopen()
            try expectEqual(try await client.findAll(HostileNames.self).map(\.emoji), [2])
            try await expectError(.uniqueViolation) {
                try await client.insert(HostileNames(2, quotes: "q"))
            }
            try expectEqual(try await client.findAll(ReservedNames.self).map(\.rowid), [3])
        },
        reopening("an empty store opens again, many times") { context in
            for count in 0..<5 {
                let client = try await context.reopen()
                try expectEqual(try await client.count(Hero.all), count)
                try await client.insert(Hero(count))
            }
        },
        reopening("a model of another shape is a mismatch") { context in
            try await context.client.insert(Hero(1))
            let client = try await context.reopen()
            try await expectError(.schemaMismatch) { _ = try await client.findAll(OtherHero.self) }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1)])
        },
        reopening("writes right before closing are kept") { context in
            let client = context.client
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 0..<50 { group.addTask { try await client.insert(Hero(id)) } }
                try await group.waitForAll()
            }
            let reopened = try await context.reopen()
            try expectEqual(try await reopened.count(Hero.all), 50)
        },
        reopening("ten megabytes are there") { context in
            let bio = String(repeating: "0123456789", count: 1_000_000)
            try await context.client.insert(Hero(1, bio: bio))
            let client = try await context.reopen()
            try expect(try await client.find(Hero.self, key: 1)?.bio == bio, "the text differs")
        },
    ]

    private static func reopening(
        _ name: String,
        requires requirements: Set<Capability> = [],
        run: @escaping @Sendable (ConformanceContext) async throws -> Void
    ) -> ConformanceCase {
        ConformanceCase(
            .reopen,
            name,
            requires: requirements.union([.persistence]),
            run: run
        )
    }
}

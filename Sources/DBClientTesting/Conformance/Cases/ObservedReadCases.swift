import DBClientCore
import DBClientTestSupport
import Synchronization

/// Values that are observed by what is read for them.
enum ObservedReadCases {
    static let all: [ConformanceCase] = values + following + bounded + ends + random

    private struct Sidebar: Equatable, Sendable {
        var strong: Int
        var total: Double
        var studios: [Studio]
    }

    private static let values: [ConformanceCase] = [
        observing("several values of one snapshot are observed by what is read for them") {
            client in
            try await client.insert([Hero(1, power: 1), Hero(2, power: 9)])
            var sidebars = client.observe { transaction in
                Sidebar(
                    strong: try transaction.count(Hero.where { $0.power > 5 }),
                    total: try transaction.sum(\.power, of: Hero.all),
                    studios: try transaction.fetch(Studio.all)
                )
            }.makeAsyncIterator()
            var expected = Sidebar(strong: 1, total: 10, studios: [])
            try expectEqual(try await sidebars.next(), expected)
            try await client.insert(Studio(1, "Marvel"))
            expected.studios = [Studio(1, "Marvel")]
            try expectEqual(try await sidebars.next(), expected)
            try await client.write { transaction in
                try transaction.insert(Hero(3, power: 6))
                try transaction.insert(Studio(2, "Image"))
            }
            expected = Sidebar(
                strong: 2,
                total: 16,
                studios: [Studio(1, "Marvel"), Studio(2, "Image")]
            )
            try expectEqual(try await sidebars.next(), expected)
            try await client.delete(Studio.self, key: 1)
            try await client.update(Hero.self, key: 1) { $0.set(\.power, to: 2) }
            expected.total = 17
            expected.studios.removeFirst()
            try expectEqual(try await last(of: &sidebars, expected), expected)
        },
        observing("a tuple is observed by what is read for it") { client in
            var values = client.observe {
                (
                    try $0.count(Hero.all), try $0.fetch(Studio.all),
                    try $0.max(\.power, of: Hero.all)
                )
            }.makeAsyncIterator()
            guard let first = try await values.next() else { throw ended }
            try expectEqual(first.0, 0)
            try expectEqual(first.2, nil)
            try await client.insert(Hero(1, power: 4))
            guard let second = try await values.next() else { throw ended }
            try expectEqual(second.0, 1)
            try expectEqual(second.1, [])
            try expectEqual(second.2, 4)
        },
        observing("what a value holds is read for it") { client in
            let marvel = Studio(1, "Marvel")
            try await client.insert([Artist(1, "Kirby", studio: marvel), Artist(2, "Lee")])
            var artists = client.observe { try $0.find(Artist.self, key: 1) }.makeAsyncIterator()
            try expectEqual(try await artists.next()??.studio, marvel)
            try await client.update(Artist.self, key: 2) { $0.set(\.name, to: "Stan") }
            try await client.update(Studio.self, key: 1) { $0.set(\.name, to: "Timely") }
            try expectEqual(try await artists.next()??.studio?.name, "Timely")
            try await client.update(Artist.self, key: 1) { $0.set(\.studio, to: nil) }
            try expectEqual(try await artists.next()??.studio, .some(nil))
        },
        observing("joins, groups, subqueries and trees are observed by what they reach") { client in
            let marvel = Studio(1, "Marvel")
            let image = Studio(2, "Image")
            try await client.insert([Artist(1, studio: marvel), Artist(2, studio: image)])
            try await client.insert([Bough(1), Bough(2, parent: 1)])
            let ofNewer = Artist.join(\.studio).filter { $1.founded > 1_950 }
            let newer = Studio.where { $0.founded > 1_950 }.select(\.id)
            var reports = client.observe { transaction in
                let years = try transaction.fetch(
                    Artist.all.grouped { $0.studio.founded }.select(.count)
                )
                let below = try transaction.fetch(Bough.descendants(of: 1, through: \.parent))
                return [
                    try transaction.count(ofNewer), years.count,
                    try transaction.count(Studio.where { $0.id.isIn(newer) }), below.count,
                ]
            }.makeAsyncIterator()
            try expectEqual(try await reports.next(), [0, 1, 0, 1])
            try await client.update(Studio.self, key: 2) { $0.set(\.founded, to: 1_992) }
            try expectEqual(try await reports.next(), [1, 2, 1, 1])
            try await client.insert(Bough(3, parent: 2))
            try expectEqual(try await reports.next(), [1, 2, 1, 2])
        },
    ]

    private static let following: [ConformanceCase] = [
        observing("what is read may depend on what was read") { client in
            try await client.insert([Hero(1, power: 2), Hero(2, "two"), Hero(3, "three")])
            var names = client.observe { transaction in
                let chosen = try transaction.find(Hero.self, key: 1)?.power ?? 0
                return try transaction.find(Hero.self, key: Int(chosen))?.name
            }.makeAsyncIterator()
            try expectEqual(try await names.next(), "two")
            try await client.update(Hero.self, key: 1) { $0.set(\.power, to: 3) }
            try expectEqual(try await names.next(), "three")
            try await client.update(Hero.self, key: 2) { $0.set(\.name, to: "not read") }
            try await client.update(Hero.self, key: 3) { $0.set(\.name, to: "drei") }
            try expectEqual(try await names.next(), "drei")
            try await client.update(Hero.self, key: 1) { $0.set(\.power, to: 4) }
            try expectEqual(try await names.next(), .some(nil))
            // What was not there is read as well.
            try await client.insert(Hero(4, "four"))
            try expectEqual(try await names.next(), "four")
        },
        ConformanceCase(
            .observation,
            "what another client writes is told to the observer that read it",
            requires: [.severalClients, .observation]
        ) { context in
            let client = context.client
            let other = try await context.another()
            try await watched {
                var values = client.observe {
                    (try $0.count(Hero.where { $0.power > 5 }), try $0.find(Studio.self, key: 1))
                }.makeAsyncIterator()
                try expectEqual(try await values.next()?.0, 0)
                try await other.insert(Hero(1, power: 9))
                try expectEqual(try await values.next()?.0, 1)
                try await other.insert(Studio(1, "Marvel"))
                try expectEqual(try await values.next()?.1?.name, "Marvel")
            }
        },
    ]

    private static let bounded: [ConformanceCase] = [
        observing("a commit that writes nothing that was read runs no body") { client in
            try await client.insert([Hero(1, power: 9), Hero(2), Hero(3)])
            let runs = Tally()
            var values = client.observe { transaction in
                runs.add()
                return (
                    try transaction.find(Hero.self, key: 2)?.name,
                    try transaction.count(Hero.where { $0.power > 5 })
                )
            }.makeAsyncIterator()
            _ = try await values.next()
            for number in 1...20 {
                try await client.update(Hero.self, key: 3) {
                    $0.set(\.power, to: Double(number % 5))
                }
                try await client.insert(Studio(number, "s"))
            }
            try await client.update(Hero.self, key: 2) { $0.set(\.name, to: "read") }
            try expectEqual(try await values.next()?.0, "read")
            try expect(runs.count <= 3, "the body ran \(runs.count) times")
        },
        observing("a body that reads other rows each time comes to rest") { client in
            try await client.insert((1...9).map { Hero($0, power: Double($0)) })
            let runs = Tally()
            var counts = client.observe { transaction in
                runs.add()
                let moment = Double(-runs.count)
                return try transaction.count(Hero.where { $0.power > moment })
            }.makeAsyncIterator()
            try expectEqual(try await counts.next(), 9)
            for count in 10...14 {
                try await client.insert(Hero(count, power: Double(count)))
                try expectEqual(try await counts.next(), count)
            }
            // Four to begin with, and one for each commit.
            try expect(runs.count <= 9, "the body ran \(runs.count) times")
        },
    ]

    private static let ends: [ConformanceCase] = [
        observing("a body that throws ends its observation") { client in
            try await client.insert(Hero(1))
            var values = client.observe { transaction in
                if try transaction.count(Hero.all) > 1 {
                    throw DBClientError(.invalidValue, "Two.")
                }
                return 1
            }.makeAsyncIterator()
            try expectEqual(try await values.next(), 1)
            try await client.insert(Hero(2))
            try await expectError(.invalidValue) { _ = try await values.next() }
            try expectEqual(try await values.next(), nil)
        },
        observing("a body that reads nothing is told once, and ends with its client") { client in
            var values = client.observe { _ in 7 }.makeAsyncIterator()
            try expectEqual(try await values.next(), 7)
            try client.close()
            try await expectError(.closed) { _ = try await values.next() }
        },
    ]

    private static let random: [ConformanceCase] = [
        observing("after random commits the last that is told is what a fresh read gives") {
            client in
            try await client.insert((1...3).map { Studio($0, "s\($0)", founded: 1_950 + $0) })
            let joined = Artist.join(\.studio).select { ($0.id, $1.id) }
            let read: @Sendable (ReadTransaction) throws -> [[Int]] = { transaction in
                let top = try transaction.fetch(Hero.all.sorted { $0.power.descending }.limit(2))
                return [
                    top.map(\.id),
                    [try transaction.find(Hero.self, key: Int(top.first?.power ?? 0))?.id ?? -1],
                    [try transaction.count(Artist.where { $0.studio.founded > 1_952 })],
                    try transaction.fetch(joined).map { $0 * 10 + $1 },
                    try transaction.fetch(Artist.where { $0.id < 3 }).map {
                        $0.studio?.founded ?? 0
                    },
                ]
            }
            var values = client.observe(read).makeAsyncIterator()
            var told = try await values.next()
            var generator = SeededGenerator(seed: 31)
            for _ in 1...60 {
                let key = Int.random(in: 1...6, using: &generator)
                let number = Int.random(in: 0...6, using: &generator)
                switch Int.random(in: 0...5, using: &generator) {
                case 0: try await client.upsert(Hero(key, power: Double(number)))
                case 1: try await client.delete(Hero.where { $0.id == key })
                case 2:
                    let studio =
                        number < 1 || number > 3
                        ? nil : try await client.find(Studio.self, key: number)
                    try await client.upsert(Artist(key, studio: studio))
                case 3: try await client.delete(Artist.where { $0.id == key })
                case 4: try await client.upsert(Studio(1 + key % 3, "s", founded: 1_950 + number))
                default:
                    try await client.write { transaction in
                        try transaction.upsert(Hero(key, power: Double(number)))
                        try transaction.upsert(Studio(1 + key % 3, "t", founded: 1_950 + number))
                    }
                }
                let expected = try await client.read(read)
                while told != expected { told = try await values.next() }
            }
        }
    ]

    private static let ended = ConformanceFailure("The observation has ended.")

    /// Returns the value that comes to be an expected one, or the last of several that do not.
    private static func last(
        of values: inout ValueStream<Sidebar>.AsyncIterator,
        _ expected: Sidebar
    ) async throws -> Sidebar? {
        var value: Sidebar?
        for _ in 0..<3 {
            value = try await values.next()
            if value == expected { break }
        }
        return value
    }
}

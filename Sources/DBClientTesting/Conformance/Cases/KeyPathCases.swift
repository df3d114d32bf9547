import DBClientCore
import Foundation

/// Key paths through what is embedded and what is held, optional or not.
enum KeyPathCases {
    private static let marvel = Studio(1, "Marvel", founded: 1939)
    private static let image = Studio(2, "Image")

    private static let artists = [
        Artist(1, "Kirby", studio: marvel, debut: Issue("Blue Bolt", 5, title: "Kirby's first")),
        Artist(2, "Liefeld", studio: image, mentor: 1),
        Artist(3, "Nobody", mentor: 1),
        Artist(4, "Ditko", studio: marvel, mentor: 3),
    ]

    private static func held(
        _ concern: ConformanceConcern,
        _ name: String,
        requires requirements: Set<Capability> = [],
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        promise(concern, name, requires: requirements) { client in
            try await client.insert(artists)
            try await run(client)
        }
    }

    /// Three values: with a place, with one without a zip, with none.
    private static let placed: [EveryType] = {
        var values = [EveryType(1), EveryType(2), EveryType(3)]
        values[0].optionalPlace = Place("Paris", zip: 75_001)
        values[1].optionalPlace = Place("Atlantis")
        return values
    }()

    static let all: [ConformanceCase] = [
        held(.select, "fields of what is held, nil where nothing is") { client in
            let rows = try await client.fetch(
                Artist.all.select(\.name, \.studio?.name, \.studio?.founded, \.mentor?.key)
            )
            try expectEqual(rows.map(\.0), artists.map(\.name))
            try expectEqual(rows.map(\.1), ["Marvel", "Image", nil, "Marvel"])
            try expectEqual(rows.map(\.2), [1939, nil, nil, 1939])
            try expectEqual(rows.map(\.3), [nil, 1, 1, 3])
            try expectEqual(
                try await client.fetch(Artist.all.select(\.debut?.title)),
                ["Kirby's first", nil, nil, nil]
            )
            let last = Artist.all.sorted { $0.id.descending }.limit(2).select(\.studio?.id)
            try expectEqual(try await client.fetch(last), [1, nil])
            try expectEqual(try client.blocking.fetch(last), [1, nil])
            let none = Artist.where { $0.id > 9 }.select(\.studio?.name)
            try expectEqual(try await client.fetch(none), [])
        },
        promise(.select, "fields through what must be held, and through several") { client in
            try await client.insert([
                Contract(1, marvel), Contract(2, image), Contract(3, marvel),
            ])
            try expectEqual(
                try await client.fetch(Contract.all.select(\.studio.name, \.studio.founded))
                    .map(\.0),
                ["Marvel", "Image", "Marvel"]
            )
            try await client.insert(Issue("a", 1))
            try await client.insert(Artist(1))
            try await client.insert(Membership(1, 2))
            let member = Membership(1, 2).primaryKey
            try await client.insert([
                Credit(1, .init("a", 1), member, contract: Contract(1, marvel)),
                Credit(2, .init("a", 1), member),
            ])
            let rows = try await client.fetch(
                Credit.all.select(
                    \.contract?.studio.name,
                    \.contract?.holder?.key,
                    \.issue.key.number
                )
            )
            try expectEqual(rows.map(\.0), ["Marvel", nil])
            try expectEqual(rows.map(\.1), [nil, nil])
            try expectEqual(rows.map(\.2), [1, 1])
        },
        promise(.select, "fields of an optional embedded struct, nil where it is absent") {
            client in
            try await client.insert(placed)
            let rows = try await client.fetch(
                EveryType.all.select(\.optionalPlace?.city, \.optionalPlace?.zip)
            )
            try expectEqual(rows.map(\.0), ["Paris", "Atlantis", nil])
            try expectEqual(rows.map(\.1), [75_001, nil, nil])
            try expectEqual(
                try await client.distinct(\.optionalPlace?.city, of: EveryType.all),
                [nil, "Atlantis", "Paris"]
            )
            try expectEqual(
                try await client.fetch(
                    EveryType.all.grouped(by: \.optionalPlace?.city)
                        .select(.count, .max(\.optionalPlace?.zip))
                )
                .map(\.values.1),
                [nil, nil, 75_001]
            )
            try expectEqual(try await client.sum(\.optionalPlace?.zip, of: EveryType.all), 75_001)
            try expectEqual(
                try await client.min(\.optionalPlace?.city, of: EveryType.all),
                "Atlantis"
            )
        },
        held(.aggregates, "functions over a field of what is held", requires: [.aggregates]) {
            client in
            let all = Artist.all
            try expectEqual(try await client.min(\.studio?.name, of: all), "Image")
            try expectEqual(try await client.max(\.studio?.founded, of: all), 1939)
            // What several hold counts for each.
            try expectEqual(try await client.sum(\.studio?.founded, of: all), 3878)
            try expectEqual(try await client.average(\.studio?.founded, of: all), 1939)
            try expectEqual(try await client.max(\.mentor?.key, of: all), 3)
            try expectEqual(
                try await client.distinct(\.studio?.name, of: all),
                [nil, "Image", "Marvel"]
            )
            try expectEqual(try await client.distinct(\.mentor?.key, of: all), [nil, 1, 3])
            try expectEqual(
                try await client.read { try $0.distinct(\.studio?.founded, of: all.limit(2)) },
                [nil, 1939]
            )
        },
        held(.grouping, "groups by a key path, and functions over one", requires: [.aggregates]) {
            client in
            let rows = try await client.fetch(
                Artist.all.grouped(by: \.studio?.name)
                    .select(
                        .count,
                        .sum(\.studio?.founded),
                        .max(\.name),
                        .average(\Artist.studio?.id)
                    )
            )
            try expectEqual(rows.map(\.key), [nil, "Image", "Marvel"])
            try expectEqual(rows.map(\.values.0), [1, 1, 2])
            try expectEqual(rows.map(\.values.1), [0, 0, 3878])
            try expectEqual(rows.map(\.values.2), ["Nobody", "Liefeld", "Kirby"])
            try expectEqual(rows.map(\.values.3), [nil, 2, 1])
            let mentored = Artist.all.grouped(by: \.mentor?.key)
                .having { $0.max(\.studio?.founded) == nil || $0.sum(\.studio?.founded) > 1939 }
            try expectEqual(
                try await client.fetch(mentored.select(.min(\.studio?.name))).map(\.key),
                [1]
            )
            let some = Artist.all.sorted { $0.id.descending }.limit(2)
            try expectEqual(
                try await client.fetch(
                    some.grouped(by: \.name).select(.min(\.studio?.name))
                )
                .map(\.values),
                ["Marvel", nil]
            )
        },
        held(.conditions, "totals over a field of what elements hold", requires: [.aggregates]) {
            client in
            try await client.insert([
                Artist(5, "Editor", friends: [1, 2, 3]), Artist(6, "Inker", friends: [3]),
            ])
            func ids(
                _ condition: (Fields<Artist>) -> Condition<Artist>
            ) async throws -> [Int] {
                try await client.fetch(Artist.where(condition)).map(\.id)
            }
            try expectEqual(try await ids { $0.friends.sum(\.studio?.founded) == 1939 }, [5])
            try expectEqual(try await ids { $0.friends.max(\.studio?.name) == "Marvel" }, [5])
            try expectEqual(try await ids { $0.friends.min(\.studio?.name) < "J" }, [5])
            try expectEqual(
                try await ids { $0.friends.average(\.studio?.id) == nil },
                [1, 2, 3, 4, 6]
            )
            try expectEqual(try await ids { $0.friends.min(\.mentor?.key) == 1 }, [5, 6])
        },
        held(.ordering, "a sort of Foundation's by a field of what is held") { client in
            let request = try Artist.all.sorted(by: [
                SortDescriptor(\.studio?.founded, order: .reverse), SortDescriptor(\.id),
            ])
            try expectEqual(try await client.fetch(request).map(\.id), [1, 4, 2, 3])
        },
        held(.select, "a key path that leads to nothing stored is refused") { client in
            let requests: [() async throws -> Void] = [
                { _ = try await client.fetch(Artist.all.select(\.studio?.shout)) },
                { _ = try await client.distinct(\.studio?.shout, of: Artist.all) },
                { _ = try await client.min(\.studio?.shout, of: Artist.all) },
                {
                    _ = try await client.fetch(
                        Artist.all.grouped(by: \.name.isEmpty).select(.count)
                    )
                },
            ]
            for request in requests {
                try expectEqual(try await expectError(.invalidRequest, request).entity, "Artist")
            }
        },
        observing("a function over a field of what is held is observed") { client in
            try await client.insert(artists)
            var sums = client.observeSum(\.studio?.founded, of: Artist.all).makeAsyncIterator()
            try expectEqual(try await sums.next(), 3878)
            try await client.update(Studio.self, key: 2) { $0.set(\.founded, to: 1) }
            try expectEqual(try await sums.next(), 3879)
            try await client.update(Artist.self, key: 3) { $0.set(\.studio, to: marvel) }
            try expectEqual(try await sums.next(), 5818)
        },
    ]
}

extension Studio {
    /// A computed property, which is not stored.
    fileprivate var shout: String { name + "!" }
}

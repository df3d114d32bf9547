import DBClientCore

/// Values put together by fields of what they hold.
enum RelatedGroupCases {
    private static let marvel = Studio(1, "Marvel", founded: 1939)
    private static let image = Studio(2, "Image")
    private static let namesake = Studio(3, "Marvel", founded: 1992)

    private static let artists = [
        Artist(1, "Kirby", studio: marvel), Artist(2, "Liefeld", studio: image, rival: 1),
        Artist(3, "Lee", studio: namesake, mentor: 1), Artist(4, "Nobody", mentor: 2),
        Artist(5, "Ditko", studio: marvel, mentor: 3), Artist(6, "Else", rival: 99),
    ]

    private static func grouping(
        _ name: String,
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        promise(.grouping, name, requires: [.aggregates]) { client in
            try await client.insert(artists)
            try await run(client)
        }
    }

    static let all: [ConformanceCase] = [
        grouping("by a field of what is held, nil where nothing is") { client in
            let rows = try await client.fetch(
                Artist.all.grouped { $0.studio.name }
                    .select(.count, .sum(\.id), .max(\.name), .average(\.id))
            )
            try expectEqual(rows.map(\.key), [nil, "Image", "Marvel"])
            try expectEqual(rows.map(\.values.0), [2, 1, 3])
            try expectEqual(rows.map(\.values.1), [10, 2, 9])
            try expectEqual(rows.map(\.values.2), ["Nobody", "Liefeld", "Lee"])
            try expectEqual(rows.map(\.values.3), [5, 2, 3])
        },
        grouping("by fields of one's own and of what is held, also through several") { client in
            let rows = try await client.fetch(
                Artist.all.grouped { ($0.mentor.studio.founded, $0.studio.name, $0.rival.id) }
                    .select(.count)
            )
            try expectEqual(rows.map(\.key.0), [nil, nil, nil, 1939, 1992])
            try expectEqual(rows.map(\.key.1), [nil, "Image", "Marvel", "Marvel", "Marvel"])
            // A weak reference to a value that is not stored leads nowhere.
            try expectEqual(rows.map(\.key.2), [nil, 1, nil, nil, nil])
            try expectEqual(rows.map(\.values), [2, 1, 1, 1, 1])
        },
        grouping("by what is held, of some values, with a condition on the group") { client in
            let some = Artist.where { $0.id > 1 }.sorted { $0.id.descending }.limit(4)
            let rows = try await client.fetch(
                some.grouped { $0.studio.name }.having { $0.average(\.id) >= 3 && $0.count < 3 }
                    .select(.min(\.id))
            )
            try expectEqual(rows.map(\.key), [nil, "Marvel"])
            try expectEqual(rows.map(\.values), [4, 3])
            let large = Artist.all.grouped { $0.studio.name }.having { $0.sum(\.id) > 8 }
            try expectEqual(
                try await client.fetch(large.select(.count)).map(\.key),
                [nil, "Marvel"]
            )
        },
        grouping("what was written before in the transaction counts") { client in
            try await client.write { transaction in
                try transaction.update(Studio(2, "Marvel"))
                try transaction.delete(Artist.self, key: 5)
                let rows = try transaction.fetch(
                    Artist.all.grouped { $0.studio.name }.select(.count)
                )
                try expectEqual(rows.map(\.key), [nil, "Marvel"])
                try expectEqual(rows.map(\.values), [2, 3])
            }
        },
        promise(.grouping, "by what is held where none ever was", requires: [.aggregates]) {
            client in
            let request = Artist.all.grouped { $0.studio.name }.select(.count)
            try expectEqual(try await client.fetch(request).count, 0)
            try await client.insert([Artist(1), Artist(2)])
            let rows = try await client.fetch(request)
            try expectEqual(rows.map(\.key), [nil])
            try expectEqual(rows.map(\.values), [2])
        },
        promise(.grouping, "by a list of values is refused", requires: [.aggregates]) { client in
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    Hero.all.grouped { $0.shout }.select(.count)
                )
            }
        },
    ]
}

import DBClientCore
import DBClientTestSupport

/// Properties with the values that lead to a value: loaded when they are asked for, never written, and asked in conditions.
enum InverseCases {
    static let all: [ConformanceCase] = [
        promise(.relationships, "what leads to values is loaded when it is asked for") { client in
            try await insertRecords(client)
            let plain = try await client.fetch(RecordAlbum.all)
            try expectEqual(plain.map(\.tracks.count), [0, 0, 0])
            try expectEqual(plain.map(\.guests), [nil, nil, nil])
            let request = RecordAlbum.all.including(\.tracks, \.guests, \.reviews, \.sleeves)
            let albums = try await client.fetch(request)
            try expectEqual(albums.map(\.title), ["red", "blue", "grey"])
            try expectEqual(albums.map { $0.tracks.map(\.id) }, [[1, 3], [2], []])
            try expectEqual(albums.map { $0.guests?.map(\.id) }, [[1, 2], [1], []])
            try expectEqual(albums[0].guests?[1].albums.keys, [1, 1])
            try expectEqual(albums.map { Set($0.reviews.map(\.id)) }, [[1, 2], [3], []])
            try expectEqual(albums.map { $0.sleeves.map(\.weight) }, [[], [40, 50], []])
            // What it holds is loaded with it, as ever, without what is asked for.
            try expectEqual(albums[1].sleeves[0].album, plain[1])
            let some = RecordAlbum.where { $0.title != "grey" }.sorted { $0.title }.limit(1)
            let first = try await client.fetch(some.including(\.tracks))
            try expectEqual(first.map(\.title), ["blue"])
            try expectEqual(first[0].tracks, [RecordTrack(2, 2, "b", 90)])
            try expectEqual(first[0].guests, nil)
            let none = RecordAlbum.where { $0.title == "pink" }
            try expectEqual(try await client.fetch(none.including(\.guests)), [])
            try expectEqual(try await client.run(.fetch(request)), albums)
            try expectEqual(try client.blocking.fetch(request), albums)
        },
        promise(.relationships, "what leads to a value is not written with it") { client in
            try await insertRecords(client)
            guard
                var album = try await client.fetch(
                    RecordAlbum.where { $0.id == 1 }.including(\.tracks)
                ).first
            else { throw ConformanceFailure("The album was not found.") }
            try expectEqual(album.tracks.count, 2)
            album.title = "scarlet"
            album.tracks = [RecordTrack(9, 1, "z", 1)]
            try await client.update(album)
            try expectEqual(try await client.find(RecordTrack.self, key: 9), nil)
            try await client.delete(RecordTrack.where { $0.id == 3 })
            let found = try await client.fetch(RecordAlbum.all.including(\.tracks))
            try expectEqual(found.map(\.title), ["scarlet", "blue", "grey"])
            try expectEqual(found[0].tracks.map(\.id), [1])
        },
        promise(.conditions, "an inverse property is asked as a to-many relationship") { client in
            try await insertRecords(client)
            func ids(
                _ condition: @Sendable (Fields<RecordAlbum>) -> Condition<RecordAlbum>
            ) async throws -> [Int] {
                let found = try await client.fetch(RecordAlbum.where(condition)).map(\.id)
                try expectEqual(try await client.count(RecordAlbum.where(condition)), found.count)
                return found
            }
            try expectEqual(try await ids { $0.tracks.count > 1 }, [1])
            try expectEqual(try await ids { $0.tracks.isEmpty }, [3])
            try expectEqual(try await ids { !$0.tracks.isEmpty }, [1, 2])
            try expectEqual(try await ids { $0.guests.isEmpty }, [3])
            try expectEqual(try await ids { $0.tracks.contains { $0.seconds > 100 } }, [1])
            try expectEqual(try await ids { $0.tracks.allSatisfy { $0.seconds < 100 } }, [2, 3])
            try expectEqual(try await ids { $0.tracks.count { $0.seconds > 100 } == 1 }, [1])
            try expectEqual(try await ids { $0.tracks.contains(Reference(2)) }, [2])
            try expectEqual(try await ids { !$0.tracks.contains(Reference(2)) }, [1, 3])
            try expectEqual(
                try await ids { $0.sleeves.contains(RecordSleeve(7, RecordAlbum(1, ""), 0)) },
                [2]
            )
            try expectEqual(try await ids { $0.tracks.sum(\.seconds) == 300 }, [1])
            try expectEqual(try await ids { $0.tracks.max(\.name) == "c" }, [1])
            try expectEqual(try await ids { $0.tracks.average(\.rating) == nil }, [2, 3])
            try expectEqual(try await ids { $0.sleeves.min(\.weight) < 45 }, [2])
            try expectEqual(try await ids { $0.reviews.count >= 2 && $0.title != "blue" }, [1])
            let sleeves = RecordSleeve.where { $0.album.tracks.count == 1 }
            try expectEqual(try await client.fetch(sleeves).map(\.id), [7, 8])
            try await client.delete(RecordAlbum.where { $0.tracks.isEmpty && $0.reviews.isEmpty })
            try expectEqual(try await client.count(RecordAlbum.all), 2)
        },
        promise(.select, "values come with numbers and sums of what leads to them") { client in
            try await insertRecords(client)
            let totals = RecordAlbum.all.annotated {
                (
                    $0.tracks.count, $0.tracks.sum(\.seconds), $0.tracks.average(\.rating),
                    $0.guests.count, $0.sleeves.max(\.weight)
                )
            }
            let found = try await client.fetch(totals)
            try expectEqual(found.map(\.0), try await client.fetch(RecordAlbum.all))
            try expectEqual(found.map(\.1), [2, 1, 0])
            try expectEqual(found.map(\.2), [300, 90, 0])
            try expectEqual(found.map(\.3), [3.5, nil, nil])
            // As conditions count it: once for each place in a list.
            try expectEqual(found.map(\.4), [3, 1, 0])
            try expectEqual(found.map(\.5), [nil, 50, nil])
            let page = RecordAlbum.where { $0.id < 3 }.sorted { $0.title }.offset(1).limit(5)
            let one = try await client.fetch(page.annotated { $0.tracks.min(\.name) })
            try expectEqual(one.map(\.0.title), ["red"])
            try expectEqual(one.map(\.1), ["a"])
            let filtered = RecordAlbum.all.annotated { album in
                (
                    album.tracks.count { $0.seconds > 100 },
                    album.tracks.sum(\.seconds, where: { $0.name != "a" }),
                    album.inverse(of: \RecordReview.subject).sum(\.stars),
                    RecordReview.where { $0.stars > 1 }.count { $0.subject == album.id }
                )
            }
            let rows = try await client.fetch(filtered)
            try expectEqual(rows.map(\.1), [1, 0, 0])
            try expectEqual(rows.map(\.2), [200, 90, 0])
            try expectEqual(rows.map(\.3), [6, 4, 0])
            try expectEqual(rows.map(\.4), [1, 1, 0])
            let none = RecordAlbum.where { $0.id > 5 }.annotated { $0.tracks.count }
            try expectEqual(try await client.fetch(none).count, 0)
            try expectEqual(try client.blocking.fetch(totals).map(\.2), [300, 90, 0])
        },
        promise(.select, "values come with numbers of what they hold") { client in
            let studio = Studio(1, "a")
            try await client.insert([studio, Studio(2, "b")])
            try await client.insert([
                Artist(1, "x", studio: studio), Artist(2, "y", studio: studio, friends: [1]),
                Artist(3, "z", friends: [1, 2]),
            ])
            let artists = try await client.fetch(
                Artist.all.annotated { ($0.friends.count, $0.friends.sum(\.id)) }
            )
            try expectEqual(artists.map(\.0), try await client.fetch(Artist.all))
            try expectEqual(artists.map(\.0.studio?.name), ["a", "a", nil])
            try expectEqual(artists.map(\.1), [0, 1, 2])
            try expectEqual(artists.map(\.2), [0, 1, 3])
            let names = try await client.fetch(
                Studio.all.annotated {
                    $0.inverse(of: \Artist.studio).max(\.name, where: { $0.friends.isEmpty })
                }
            )
            try expectEqual(names.map(\.1), ["x", nil])
        },
        promise(.select, "a sum beside a value is exact, or an error") { client in
            try await client.insert([RecordAlbum(1, "a"), RecordAlbum(2, "b")])
            try await client.insert([
                RecordTrack(1, 1, "a", .max, rating: 1e100),
                RecordTrack(2, 1, "b", .max, rating: 1),
                RecordTrack(3, 1, "c", -.max, rating: -1e100),
                RecordTrack(4, 2, "d", 5),
            ])
            let sums = RecordAlbum.all.annotated {
                ($0.tracks.sum(\.seconds), $0.tracks.sum(\.rating), $0.tracks.average(\.seconds))
            }
            let found = try await client.fetch(sums)
            try expectEqual(found.map(\.1), [.max, 5])
            try expectEqual(found.map(\.2), [1, 0])
            try expectEqual(found[1].3, 5)
            try await client.delete(RecordTrack.where { $0.id == 3 })
            try await expectError(.invalidValue) { _ = try await client.fetch(sums) }
        },
        promise(.select, "what is not stored yet leads to nothing") { client in
            try await client.insert([RecordAlbum(1, "a")])
            let counted = RecordAlbum.all.annotated {
                ($0.tracks.count, $0.guests.count, $0.reviews.max(\.stars))
            }
            let found = try await client.fetch(counted)
            try expectEqual(found.map(\.1), [0])
            try expectEqual(found.map(\.2), [0])
            try expectEqual(found.map(\.3), [nil])
            let albums = try await client.fetch(RecordAlbum.all.including(\.tracks, \.guests))
            try expectEqual(albums[0].tracks, [])
            try expectEqual(albums[0].guests, [])
        },
        observing("values are observed with what leads to them") { client in
            try await insertRecords(client)
            let albums = RecordAlbum.all.including(\.tracks)
            let counts = RecordAlbum.all.annotated { $0.tracks.count }
            let stream = client.observe { transaction in
                [
                    try transaction.fetch(albums).map(\.tracks.count),
                    try transaction.fetch(counts).map(\.1),
                ]
            }
            var values = stream.makeAsyncIterator()
            try expectEqual(try await values.next(), [[2, 1, 0], [2, 1, 0]])
            try await client.insert(RecordTrack(20, 3, "x", 1))
            try expectEqual(try await values.next(), [[2, 1, 1], [2, 1, 1]])
        },
        promise(.errors, "what is no inverse property is refused") { client in
            try await client.insert(RecordAlbum(1, "a"))
            let requests = [
                RecordAlbum.all.including(\.title),
                RecordAlbum.where { $0.tracks == [] }.including(\.tracks),
                RecordAlbum.all.limit(-1).including(\.tracks),
            ]
            for request in requests {
                try await expectError(.invalidRequest) {
                    _ = try await client.fetch(request)
                }
            }
            try await expectError(.unsupported) {
                _ = try await client.fetch(
                    RecordSleeve.all.annotated { $0.album.tracks.count }
                )
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    RecordAlbum.all.annotated { $0.inverse(of: \Member.boss).count }
                )
            }
        },
    ]

    private static func insertRecords(_ client: any DBClient) async throws {
        let albums = [RecordAlbum(1, "red"), RecordAlbum(2, "blue"), RecordAlbum(3, "grey")]
        try await client.insert(albums)
        try await client.insert([
            RecordTrack(1, 1, "a", 100, rating: 3.5), RecordTrack(2, 2, "b", 90),
            RecordTrack(3, 1, "c", 200), RecordTrack(4, nil, "d", 7),
        ])
        try await client.insert([
            RecordGuest(1, "x", albums: [1, 2]), RecordGuest(2, "y", albums: [1, 1]),
            RecordGuest(3, "z", albums: []),
        ])
        try await client.insert([
            RecordReview(1, 1, 5), RecordReview(2, 1, 1), RecordReview(3, 2, 4),
        ])
        try await client.insert([
            RecordSleeve(7, albums[1], 40), RecordSleeve(8, albums[1], 50),
        ])
    }
}

import DBClientCore
import Foundation

/// Sorts by what is computed from fields that a relationship leads to.
enum ComputedSortCases {
    static let all: [ConformanceCase] = plain + joined + refusals

    private static let plain: [ConformanceCase] = [
        promise(.requests, "a sort by what is computed through relationships") { client in
            let artists = try await insertArtists(client)
            func studio(_ artist: Artist) -> Studio? { artist.studio }
            func mentor(_ artist: Artist) -> Artist? {
                artist.mentor.flatMap { reference in
                    artists.first { $0.id == reference.key }
                }
            }
            try await check(client, artists, { $0.studio.name.count }) {
                studio($0)?.name.unicodeScalars.count
            }
            try await check(client, artists, { $0.studio.founded % 10 }) {
                studio($0)?.founded.map { $0 % 10 }
            }
            try await check(client, artists, { ($0.studio.founded ?? 1950) / 10 }) {
                (studio($0)?.founded ?? 1950) / 10
            }
            try await check(client, artists, { $0.studio.founded * 2 - $0.studio.name.count }) {
                guard let studio = studio($0), let founded = studio.founded else { return nil }
                return founded * 2 - studio.name.unicodeScalars.count
            }
            try await check(client, artists, { $0.mentor.studio.name.count }) {
                mentor($0).flatMap(studio)?.name.unicodeScalars.count
            }
            try await check(client, artists, { $0.mentor.name.count + 1 }) {
                mentor($0).map { $0.name.unicodeScalars.count + 1 }
            }
        },
        promise(.requests, "text that is computed through a relationship is sorted by its order") {
            client in
            try await insertArtists(client)
            let upper = Artist.all.sorted {
                [($0.studio.name ?? "zz").uppercased().ascending, $0.id.descending]
            }
            try expectEqual(try await client.fetch(upper).map(\.id), [5, 2, 4, 1, 6, 3])
            let natural = Artist.all.sorted { ($0.studio.name ?? "image 1").natural }
            try expectEqual(try await client.fetch(natural).map(\.id), [2, 5, 3, 6, 4, 1])
            let cased = Artist.all.sorted { ($0.studio.name + "!").caseInsensitive.nilsLast }
            try expectEqual(try await client.fetch(cased).map(\.id), [4, 2, 5, 1, 3, 6])
        },
        promise(.requests, "limits, pages and sets of a sort that is computed through a path") {
            client in
            try await insertArtists(client)
            let request = Artist.all.sorted { $0.studio.name.count }
            try expectEqual(try await client.fetch(request).map(\.id), [3, 6, 2, 5, 1, 4])
            try expectEqual(
                try await client.fetch(request.offset(1).limit(3)).map(\.id),
                [6, 2, 5]
            )
            try expectEqual(try await client.count(request.limit(4)), 4)
            var seen: [Int] = []
            var next = request.limit(2)
            while let last = try await { () -> Artist? in
                let page = try await client.fetch(next)
                seen += page.map(\.id)
                return page.last
            }() {
                next = request.after(last).limit(2)
            }
            try expectEqual(seen, [3, 6, 2, 5, 1, 4])
            let first = request.limit(3).asSource().filter { $0.studio.name == "Image" }
            try expectEqual(try await client.fetch(first).map(\.id), [2])
            var streamed: [Int] = []
            for try await artist in client.stream(request, batchSize: 2) {
                streamed.append(artist.id)
            }
            try expectEqual(streamed, seen)
            try await client.update(Studio(1, "M", founded: 1939))
            try expectEqual(try await client.fetch(request).map(\.id), [3, 6, 1, 2, 5, 4])
        },
        promise(
            .observation,
            "a result that is sorted by what is computed elsewhere follows it"
        ) { client in
            try await insertArtists(client)
            let request = Artist.all.sorted { $0.studio.name.count }
            var iterator = client.observe(request).makeAsyncIterator()
            let first = try await iterator.next().map { Array($0.objects).map(\.id) }
            try expectEqual(first, [3, 6, 2, 5, 1, 4])
            try await client.update(Studio(1, "M", founded: 1939))
            let second = try await iterator.next().map { Array($0.objects).map(\.id) }
            try expectEqual(second, [3, 6, 1, 2, 5, 4])
        },
    ]

    private static let joined: [ConformanceCase] = [
        promise(.joins, "joined rows are sorted by what is computed through a path") { client in
            try await insertArtists(client)
            let pairs = Artist.join(Artist.self) { $0.mentor == $1.id }
            let request = pairs.sorted { artist, mentor in
                [(mentor.studio.name ?? "").count.descending, artist.studio.name.count.ascending]
            }
            let rows = try await client.fetch(
                request.select { artist, mentor in (artist.id, mentor.id) }
            )
            try expectEqual(rows.map(\.0), [6, 2, 5, 3])
            try expectEqual(rows.map(\.1), [4, 1, 1, 2])
            try expectEqual(
                try await client.fetch(
                    request.offset(1).limit(2).select { artist, mentor in artist.id }
                ),
                [2, 5]
            )
        }
    ]

    private static let refusals: [ConformanceCase] = [
        promise(.requests, "a key that no value has where a path leads nowhere is refused") {
            client in
            try await insertArtists(client)
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    Artist.all.sorted { ($0.studio.founded ?? .max) + 1 }
                )
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    Artist.all.sorted { $0.studio.founded / ($0.studio.founded - 1939) }
                )
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    Artist.all.sorted { $0.mentor.name.count }.after(Artist(1, "Kirby"))
                )
            }
        }
    ]

    /// Compares the order of the artists by a key, in both directions, with that of an array.
    private static func check<Term: ExpressionTerm & Sendable>(
        _ client: any DBClient,
        _ artists: [Artist],
        _ term: (Fields<Artist>) -> Term,
        _ key: (Artist) -> Int?
    ) async throws where Term.Model == Artist {
        func sorted(_ isOrdered: (Int, Int) -> Bool, isNilFirst: Bool) -> [Int] {
            artists.sorted { left, right in
                switch (key(left), key(right)) {
                case (nil, nil): return left.id < right.id
                case (nil, _): return isNilFirst
                case (_, nil): return !isNilFirst
                case (let one?, let other?):
                    return one == other ? left.id < right.id : isOrdered(one, other)
                }
            }.map(\.id)
        }
        let ascending = Artist.all.sorted { term($0).fieldExpression.ascending }
        try expectEqual(
            try await client.fetch(ascending).map(\.id),
            sorted(<, isNilFirst: true)
        )
        let descending = Artist.all.sorted { term($0).fieldExpression.descending }
        try expectEqual(
            try await client.fetch(descending).map(\.id),
            sorted(>, isNilFirst: false)
        )
        let last = Artist.all.sorted { term($0).fieldExpression.nilsLast }
        try expectEqual(
            try await client.fetch(last).map(\.id),
            sorted(<, isNilFirst: false)
        )
    }

    @discardableResult
    private static func insertArtists(_ client: any DBClient) async throws -> [Artist] {
        let marvel = Studio(1, "Marvel", founded: 1939)
        let image = Studio(2, "Image")
        let old = Studio(3, "image 10", founded: 1992)
        let artists = [
            Artist(1, "Kirby", studio: marvel), Artist(2, "Liefeld", studio: image, mentor: 1),
            Artist(3, "Nobody", mentor: 2), Artist(4, "Ditko", studio: old),
            Artist(5, "Lee", studio: image, mentor: 1), Artist(6, "None", mentor: 4),
        ]
        try await client.insert(artists)
        return artists
    }
}

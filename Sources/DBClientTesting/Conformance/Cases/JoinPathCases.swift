import DBClientCore
import Foundation

/// Joins with what a relationship leads to.
enum JoinPathCases {
    private static let marvel = Studio(1, "Marvel", founded: 1939)
    private static let image = Studio(2, "Image")

    static let all: [ConformanceCase] = [
        promise(.joins, "with what a relationship leads to, by its path") { client in
            try await insertArtists(client)
            let names = try await client.fetch(
                Artist.join(\.studio).sorted { artist, studio in [studio.name, artist.name] }
                    .select { artist, studio in (artist.name, studio.name, studio.founded) }
            )
            try expectEqual(names.map(\.0), ["Liefeld", "Ditko", "Kirby"])
            try expectEqual(names.map(\.1), ["Image", "Marvel", "Marvel"])
            try expectEqual(names.map(\.2), [nil, 1939, 1939])
            let all = try await client.fetch(
                Artist.leftJoin(\.studio).select { artist, studio in (artist.id, studio) }
            )
            try expectEqual(all.map(\.0), [1, 2, 3, 4])
            try expectEqual(all.map(\.1), [marvel, image, nil, marvel])
            let mentors = try await client.fetch(
                Artist.leftJoin(\.mentor).select { artist, mentor in (artist.name, mentor.name) }
            )
            try expectEqual(mentors.map(\.1), [nil, "Kirby", "Liefeld", nil])
            let contracts = try await client.fetch(
                Contract.join(\.studio).select { contract, studio in (contract.id, studio.name) }
            )
            try expectEqual(contracts.map(\.1), ["Image", "Marvel"])
            let mottos = try await client.fetch(
                Imprint.where { $0.motto != "" }.join(\.studio)
                    .leftJoin(Contract.self) { _, studio, contract in contract.studio == studio.id }
                    .select { imprint, studio, contract in (imprint.motto, studio.name, contract.id)
                    }
            )
            try expectEqual(mottos.map(\.0), ["new"])
            try expectEqual(mottos.map(\.1), ["Image"])
            try expectEqual(mottos.map(\.2), [1])
        },
        promise(.joins, "by a relationship and the key of the model that it leads to") { client in
            try await insertArtists(client)
            let held = Artist.join(Studio.self) { $0.studio == $1.id }
            let studios = try await client.fetch(held.select { ($0.id, $1.id) })
            try expectEqual(studios.map { [$0.0, $0.1] }, [[1, 1], [2, 2], [4, 1]])
            let referred = Artist.join(Artist.self) { $0.mentor == $1.id }
            let mentors = try await client.fetch(referred.select { ($0.id, $1.id) })
            try expectEqual(mentors.map { [$0.0, $0.1] }, [[2, 1], [3, 2]])
            let imprints = Imprint.join(Studio.self) { $0.studio == $1.id && $1.name == "Image" }
            try expectEqual(try await client.count(imprints), 1)
            let contracts = Studio.join(Contract.self) { $1.studio == $0.id }
            try expectEqual(try await client.count(contracts), 2)
        },
        promise(.joins, "rows become what a function makes of them") { client in
            try await insertArtists(client)
            struct Row: Equatable, Sendable {
                let name: String
                let studio: String
            }
            let rows = try await client.fetch(
                Artist.join(\.studio).limit(2).select { ($0.name, $1.name) }
                    .map { Row(name: $0.0, studio: $0.1) }
            )
            try expectEqual(
                rows,
                [Row(name: "Kirby", studio: "Marvel"), Row(name: "Liefeld", studio: "Image")]
            )
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    Artist.all.select(\.name).map { name in
                        throw DBClientError(.invalidValue, "\(name) is not wanted.")
                    }
                )
            }
        },
        promise(.joins, "a path that leads to no value is refused") { client in
            try await insertArtists(client)
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Artist.join(\Artist.studio!).select { ($0.id, $1.id) })
            }
        },
    ]

    private static func insertArtists(_ client: any DBClient) async throws {
        try await client.insert([
            Artist(1, "Kirby", studio: marvel), Artist(2, "Liefeld", studio: image, mentor: 1),
            Artist(3, "Nobody", mentor: 2), Artist(4, "Ditko", studio: marvel),
        ])
        try await client.insert([Contract(1, image), Contract(2, marvel, holder: 1)])
        try await client.insert([Imprint(1), Imprint(2, "new")])
    }
}

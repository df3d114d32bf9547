import DBClientCore
import Foundation

/// Parts of values that are stored as JSON.
enum PartCases {
    static let all: [ConformanceCase] = [
        promise(.parts, "parts of every type are compared") { client in
            try await client.insert(leaflets)
            let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
            let date = Date(timeIntervalSince1970: 1_700_000_000.25)
            let conditions: [(FetchRequest<Leaflet>, [Int])] = [
                (Leaflet.where { $0.info.path("city", as: String.self) == "Łódź \"X\"\\" }, [1]),
                (Leaflet.where { $0.info.path("city", as: String.self) != "Łódź" }, [1, 2, 3, 4]),
                (Leaflet.where { $0.info.path("city", as: String.self) == nil }, [3, 4]),
                (Leaflet.where { $0.info.path("city", as: String.self) > "M" }, [1]),
                (Leaflet.where { !($0.info.path("city", as: String.self) > "M") }, [2, 3, 4]),
                (Leaflet.where { $0.info.path("rating", as: Double.self) >= 0.1 }, [1, 2]),
                (Leaflet.where { $0.info.path("rating", as: Double.self) == 0.1 }, [1]),
                (Leaflet.where { $0.info.path("rating", as: Double.self) == 3 }, [2]),
                (Leaflet.where { $0.info.path("weight", as: Float.self) == 0.1 }, [1]),
                (Leaflet.where { $0.info.path("copies", as: Int.self) == .max }, [1]),
                (Leaflet.where { $0.info.path("copies", as: Int64.self) < 0 }, [2]),
                (Leaflet.where { $0.info.path("copies", as: UInt8.self) != nil }, []),
                (Leaflet.where { $0.info.path("isFree", as: Bool.self) == true }, [1]),
                (Leaflet.where { $0.info.path("isFree", as: Bool.self) == false }, [2]),
                (Leaflet.where { $0.info.path("isFree", as: Bool.self) != true }, [2, 3, 4]),
                (
                    Leaflet.where {
                        $0.info.path("price", as: Decimal.self)
                            == Decimal(sign: .plus, exponent: -2, significand: 123_456_789_012_345)
                    }, [1]
                ),
                (Leaflet.where { $0.info.path("price", as: Decimal.self) < 0 }, [2]),
                (Leaflet.where { $0.info.path("printedAt", as: Date.self) == date }, [1]),
                (Leaflet.where { $0.info.path("printedAt", as: Date.self).year == 1969 }, [2]),
                (Leaflet.where { $0.info.path("code", as: UUID.self) == uuid }, [1]),
                (Leaflet.where { $0.info.path("stamp", as: Data.self) == Data([0, 255]) }, [1]),
                (Leaflet.where { $0.info.path("stamp", as: Data.self) == Data() }, [2]),
                (Leaflet.where { $0.info.path("kind", as: String.self) == "long" }, [1]),
            ]
            for (position, (request, expected)) in conditions.enumerated() {
                let found = try await client.fetch(request).map(\.id)
                try expectEqual(found, expected, "condition \(position):")
                try expectEqual(try await client.count(request), expected.count)
            }
        },
        promise(.parts, "into lists, objects and dictionaries") { client in
            try await client.insert(leaflets)
            let conditions: [(FetchRequest<Leaflet>, [Int])] = [
                (Leaflet.where { $0.info.path("tags", 0, as: String.self) == "b" }, [1]),
                (Leaflet.where { $0.info.path("tags", 1, as: String.self) == "," }, [1]),
                (Leaflet.where { $0.info.path("tags", 2, as: String.self) != nil }, []),
                (Leaflet.where { $0.info.path("tags", "0", as: String.self) != nil }, []),
                (Leaflet.where { $0.info.path(0, as: String.self) != nil }, []),
                (Leaflet.where { $0.info.path("places", 1, "at", 2, as: Int.self) == 6 }, [1]),
                (
                    Leaflet.where { $0.info.path("places", 0, "the name", as: String.self) == "]" },
                    [1]
                ),
                (Leaflet.where { $0.info.path("places", as: String.self) != nil }, []),
                (Leaflet.where { $0.info.path("city", 0, as: String.self) != nil }, []),
                (Leaflet.where { $0.draft.path("city", as: String.self) == "Draft" }, [2]),
                (Leaflet.where { $0.draft.path("city", as: String.self) == nil }, [1, 3, 4]),
                (Leaflet.where { $0.scores.path("a.b", as: Int.self) == 1 }, [1]),
                (Leaflet.where { $0.scores.path("", as: Int.self) == 2 }, [1]),
                (Leaflet.where { $0.scores.path("é\"\\\n", as: Int.self) > 2 }, [1]),
                (Leaflet.where { $0.scores.path("e\u{301}\"\\\n", as: Int.self) != nil }, []),
                (Leaflet.where { $0.scores.path("$", as: Int.self) != nil }, []),
                (Leaflet.where { $0.tree.path(as: Int.self) == 7 }, [3]),
                (Leaflet.where { $0.tree.path(as: String.self) == "7" }, [4]),
            ]
            for (position, (request, expected)) in conditions.enumerated() {
                let found = try await client.fetch(request).map(\.id)
                try expectEqual(found, expected, "condition \(position):")
            }
        },
        promise(.parts, "parts are sorted by, selected, grouped by, added up and set") { client in
            try await client.insert(leaflets)
            let byCity = Leaflet.all.sorted { $0.info.path("city", as: String.self) }
            try expectEqual(try await client.fetch(byCity).map(\.id), [3, 4, 2, 1])
            let pages = byCity.offset(1).limit(2)
            try expectEqual(try await client.fetch(pages).map(\.id), [4, 2])
            let last = Leaflet.all.sorted {
                [$0.info.path("rating", as: Double.self).descending.nilsFirst, $0.id.descending]
            }
            try expectEqual(try await client.fetch(last).map(\.id), [4, 3, 2, 1])
            let after = byCity.after(leaflets[3])
            try expectEqual(try await client.fetch(after).map(\.id), [2, 1])
            let rows = try await client.fetch(
                Leaflet.all.select {
                    (
                        $0.id, $0.info.path("rating", as: Double.self) ?? -1,
                        $0.scores.path("", as: Int.self)
                    )
                }
            )
            try expectEqual(rows.map(\.1), [0.1, 3, -1, -1])
            try expectEqual(rows.map(\.2), [2, nil, nil, nil])
            let groups = try await client.fetch(
                Leaflet.all.grouped { $0.info.path("isFree", as: Bool.self) }
                    .select(.count, .sum(\.id))
            )
            try expectEqual(groups.map(\.key), [nil, false, true])
            try expectEqual(groups.map(\.values.0), [2, 1, 1])
            try expectEqual(groups.map(\.values.1), [7, 2, 1])
            let sum: Double = try await client.sum(of: Leaflet.all) {
                $0.info.path("rating", as: Double.self)
            }
            try expectEqual(sum, 3.1)
            let count = try await client.update(Leaflet.where { $0.id < 4 }) {
                $0.set(\.title) { $0.info.path("city", as: String.self) ?? "nowhere" }
            }
            try expectEqual(count, 3)
            let titles = try await client.fetch(Leaflet.all.select(\.title))
            try expectEqual(titles, ["Łódź \"X\"\\", "Bonn", "nowhere", ""])
            let removed = try await client.delete(
                Leaflet.where { $0.info.path("tags", 0, as: String.self) == "b" }
            )
            try expectEqual(removed, 1)
            try expectEqual(try await client.fetch(Leaflet.all).map(\.id), [2, 3, 4])
        },
        promise(.parts, "parts with other conditions, text operators and joins") { client in
            try await client.insert(leaflets)
            let conditions: [(FetchRequest<Leaflet>, [Int])] = [
                (
                    Leaflet.where { $0.id > 1 && $0.info.path("rating", as: Double.self) > 0 },
                    [2]
                ),
                (
                    Leaflet.where { $0.id == 4 || $0.info.path("city", as: String.self) == "Bonn" },
                    [2, 4]
                ),
                (Leaflet.where { $0.info.path("city", as: String.self).hasPrefix("Bo") }, [2]),
                (
                    Leaflet.where {
                        $0.info.path("city", as: String.self).contains("ON", ignoringCase: true)
                    }, [2]
                ),
                (
                    Leaflet.where { $0.info.path("city", as: String.self).containsFolding("ÓD") },
                    [1]
                ),
                (Leaflet.where { $0.info.path("city", as: String.self).count == 4 }, [2]),
                (
                    Leaflet.where {
                        $0.info.path("copies", as: Int.self) != nil
                            && 10 / ($0.info.path("copies", as: Int.self) ?? 1) == -5
                    }, [2]
                ),
                (
                    Leaflet.where {
                        $0.info.path("city", as: String.self)
                            == $0.draft.path("city", as: String.self)
                    }, [3, 4]
                ),
            ]
            for (position, (request, expected)) in conditions.enumerated() {
                let found = try await client.fetch(request).map(\.id)
                try expectEqual(found, expected, "condition \(position):")
            }
            let pairs = Leaflet.join(Leaflet.self) {
                $0.scores.path("a.b", as: Int.self) == $1.id
            }
            try expectEqual(try await client.fetch(pairs).map { [$0.id, $1.id] }, [[1, 1]])
        },
        promise(.parts, "an observer is told of a part that changes") { client in
            try await client.insert(leaflets)
            let request = Leaflet.where { $0.info.path("city", as: String.self) == "Bonn" }
            var changes = client.observe(request).makeAsyncIterator()
            guard case .initial(let found)? = try await changes.next() else {
                throw ConformanceFailure("expected the result")
            }
            try expectEqual(found.map(\.id), [2])
            var changed = leaflets[2]
            changed.info.city = "Bonn"
            try await client.update(changed)
            guard case .update(let change)? = try await changes.next() else {
                throw ConformanceFailure("expected a change")
            }
            try expectEqual(change.objects.map(\.id), [2, 3])
        },
        promise(.parts, "parts by the properties of their types") { client in
            try await client.insert(leaflets)
            let conditions: [(FetchRequest<Leaflet>, [Int])] = [
                (Leaflet.where { $0.info.city == "Bonn" }, [2]),
                (Leaflet.where { $0.info.city == nil && $0.id > 3 }, [4]),
                (Leaflet.where { $0.info.rating > 0.5 || $0.info.isFree == true }, [1, 2]),
                (Leaflet.where { $0.info.tags[1] == "," }, [1]),
                (Leaflet.where { $0.info.places[1].at[2] == 6 }, [1]),
                (Leaflet.where { $0.info.places[0].name == "]" }, [1]),
                (Leaflet.where { $0.draft.city.hasPrefix("Dr") }, [2]),
                (Leaflet.where { $0.draft.places[0].name == nil }, [1, 2, 3, 4]),
                (Leaflet.where { $0.info.printedAt.year == 2023 }, [1]),
            ]
            for (position, (request, expected)) in conditions.enumerated() {
                let found = try await client.fetch(request).map(\.id)
                try expectEqual(found, expected, "condition \(position):")
            }
            let sorted = Leaflet.all.sorted { [$0.info.copies.descending, $0.id] }
            try expectEqual(try await client.fetch(sorted).map(\.id), [1, 2, 3, 4])
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Leaflet.where { $0.info.places[0].first == 1 })
            }
        },
        promise(.parts, "what is no path, and what has no parts") { client in
            try await client.insert(leaflets)
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Leaflet.where { $0.title.path("a", as: Int.self) == 1 })
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    Leaflet.where { $0.info.path("tags", -1, as: String.self) == nil }
                )
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    Leaflet.where { $0.info.path("a\0", as: String.self) == nil }
                )
            }
        },
    ]

    static let leaflets = [
        Leaflet(
            1,
            info: Leaflet.Info(
                city: "Łódź \"X\"\\",
                rating: 0.1,
                weight: 0.1,
                copies: .max,
                isFree: true,
                price: Decimal(sign: .plus, exponent: -2, significand: 123_456_789_012_345),
                printedAt: Date(timeIntervalSince1970: 1_700_000_000.25),
                code: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255)),
                stamp: Data([0, 255]),
                tags: ["b", ","],
                places: [
                    Leaflet.Place(name: "]", at: [1, 2, 3]),
                    Leaflet.Place(name: "}", at: [4, 5, 6]),
                ],
                kind: .long
            ),
            scores: ["a.b": 1, "": 2, "é\"\\\n": 3]
        ),
        Leaflet(
            2,
            info: Leaflet.Info(
                city: "Bonn",
                rating: 3,
                copies: -2,
                isFree: false,
                price: -1,
                printedAt: Date(timeIntervalSince1970: -1),
                stamp: Data(),
                tags: []
            ),
            draft: Leaflet.Info(city: "Draft")
        ),
        Leaflet(3, tree: .integer(7)),
        Leaflet(4, tree: .text("7")),
    ]
}

import DBClientCore
import Foundation

/// What is computed beyond the fields of plain values: through relationships, of models that convert, and of columns of
/// another form.
enum ComputedReachCases {
    static let all: [ConformanceCase] = related + converting + formats + plans

    private static let related: [ConformanceCase] = [
        promise(.expressions, "what is computed through a relationship, also to nothing") {
            client in
            try await insertArtists(client)
            let rows = try await client.fetch(
                Artist.all.select {
                    (
                        $0.id, $0.studio.founded + 1, $0.studio.name ?? "none",
                        $0.studio.name.uppercased(), $0.mentor.studio.name.count
                    )
                }
            )
            try expectEqual(rows.map(\.0), [1, 2, 3, 4])
            try expectEqual(rows.map(\.1), [1940, nil, nil, 1940])
            try expectEqual(rows.map(\.2), ["Marvel", "Image", "none", "Marvel"])
            try expectEqual(rows.map(\.3), ["MARVEL", "IMAGE", nil, "MARVEL"])
            try expectEqual(rows.map(\.4), [nil, 6, 5, nil])
            let nowhere = Artist.where { ($0.studio.name ?? "none") == "none" }
            try expectEqual(try await client.fetch(nowhere).map(\.id), [3])
            let groups = Artist.all.grouped { $0.studio.name ?? "none" }.select(.count)
            let found = try await client.fetch(groups)
            try expectEqual(found.map(\.key), ["Image", "Marvel", "none"])
            try expectEqual(found.map(\.values), [1, 2, 1])
            let founded = try await client.fetch(
                Artist.all.grouped { $0.studio.founded / 10 }.select(.sum(\.id))
            )
            try expectEqual(founded.map(\.key), [nil, 193])
            try expectEqual(founded.map(\.values), [5, 5])
            let sum: Int = try await client.sum(of: Artist.all) { $0.studio.founded * 2 }
            try expectEqual(sum, 7756)
            let longest = try await client.max(of: Artist.all) { $0.studio.name.count }
            try expectEqual(longest, 6)
            let last = Artist.all.sorted { $0.id.descending }.limit(2)
            let some: Int = try await client.sum(of: last) { $0.studio.founded * 2 }
            try expectEqual(some, 3878)
        },
        promise(.expressions, "a related key is computed with beside fields of what has it") {
            client in
            try await insertArtists(client)
            let rows = try await client.fetch(
                Artist.all.select {
                    (
                        $0.studio.id + $0.studio.founded, $0.studio.founded - $0.studio.id * 2,
                        ($0.studio.id ?? 0) + $0.studio.name.count,
                        $0.studio.id + $0.id, $0.mentor.studio.id * 10 + $0.mentor.studio.name.count
                    )
                }
            )
            try expectEqual(rows.map(\.0), [1940, nil, nil, 1940])
            try expectEqual(rows.map(\.1), [1937, nil, nil, 1937])
            try expectEqual(rows.map(\.2), [7, 7, nil, 7])
            try expectEqual(rows.map(\.3), [2, 4, nil, 5])
            try expectEqual(rows.map(\.4), [nil, 16, 25, nil])
            func found(
                _ condition: (Fields<Artist>) -> Condition<Artist>
            ) async throws -> [Int] {
                try await client.fetch(Artist.where(condition)).map(\.id)
            }
            try expectEqual(try await found { $0.studio.id < $0.studio.founded }, [1, 4])
            try expectEqual(try await found { $0.studio.founded > $0.studio.id }, [1, 4])
            try expectEqual(try await found { $0.studio.id * 3 > $0.studio.name.count }, [2])
            // Nil equals nil.
            try expectEqual(
                try await found { $0.studio.name.count == $0.studio.id + 5 },
                [1, 3, 4]
            )
            let sums = try await client.fetch(
                Artist.all.grouped { $0.studio.id + $0.studio.name.count }.select(.count)
            )
            try expectEqual(sums.map(\.key), [nil, 7])
            try expectEqual(sums.map(\.values), [1, 3])
            let sorted = Artist.all.sorted {
                ($0.studio.id * -100 + $0.studio.name.count).descending
            }
            try expectEqual(try await client.fetch(sorted).map(\.id), [1, 4, 2, 3])
        },
        promise(.expressions, "what is computed of several values is refused") { client in
            try await insertArtists(client)
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    Artist.all.select { $0.name + ($0.studio.name ?? "none") }
                )
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    Artist.all.grouped { $0.name + ($0.studio.name ?? "") }.select(.count)
                )
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    Artist.all.select { $0.studio.id + $0.id + $0.studio.founded }
                )
            }
            // A choice is by the value's own fields, and among these.
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    Artist.all.select { ($0.id > 1).then($0.studio.founded, else: 0) }
                )
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    Artist.where { ($0.name == "Lee").then(2, else: $0.studio.founded) == 2 }
                )
            }
        },
    ]

    private static let converting: [ConformanceCase] = [
        promise(.expressions, "what is computed of a model that converts") { client in
            try await client.insert([
                Champion(1, "b", strength: 3), Champion(2, "A", strength: 1),
                Champion(3, "c", strength: 2),
            ])
            let sorted = Champion.all.sorted { $0.name.lowercased() }
            try expectEqual(try await client.fetch(sorted).map(\.id), [2, 1, 3])
            let after = sorted.after(Champion(2, "A", strength: 1))
            try expectEqual(try await client.fetch(after).map(\.id), [1, 3])
            let selected = sorted.select { ($0.id, $0.power * 2) }
            try expectEqual(try await client.fetch(selected).map(\.1), [2, 6, 4])
            let groups = Champion.all.grouped { ($0.power > 1.5).then($0.name.count, else: 9) }
            let rows = try await client.fetch(groups.select(.count))
            try expectEqual(rows.map(\.key), [1, 9])
            try expectEqual(rows.map(\.values), [2, 1])
            let total: Double = try await client.sum(of: Champion.all) { $0.power * 10 }
            try expectEqual(total, 60)
            try await client.update(Champion.where { $0.power * 2 > 3 }) {
                $0.set(\.power) { $0.power * 2 }
                $0.set(\.name) { $0.name.uppercased() }
            }
            let found = try await client.fetch(Champion.all)
            try expectEqual(found.map(\.strength), [6, 1, 4])
            try expectEqual(found.map(\.title), ["B", "A", "C"])
        }
    ]

    private static let formats: [ConformanceCase] = [
        promise(.expressions, "what is computed of columns of other forms") { client in
            // 2021-03-14 15:09:26.5 and 1969-12-31 23:59:59.
            let dates = [1_615_734_566.5, -1].map { Date(timeIntervalSince1970: $0) }
            try await client.insert([Formatted(1, at: dates[0]), Formatted(2, at: dates[1])])
            let years = try await client.fetch(
                Formatted.all.select {
                    ($0.iso.year, $0.local.month, $0.dateTime.day, $0.day.weekday, $0.seconds.hour)
                }
            )
            try expectEqual(years.map(\.0), [2021, 1969])
            try expectEqual(years.map(\.1), [3, 12])
            try expectEqual(years.map(\.2), [14, 31])
            try expectEqual(years.map(\.3), [7, 3])
            try expectEqual(years.map(\.4), [15, 23])
            try await expectFirst { $0.iso.year == 2021 && $0.local.month == 3 }
            try await expectFirst { $0.dateTime.day == 14 && $0.day.weekday == 7 }
            try await expectFirst { $0.seconds.hour == 15 && $0.milliseconds.hour == 15 }
            try await expectFirst { $0.interval.year == 2021 && $0.reference.year == 2021 }
            try await expectFirst { $0.julian.startOfDay == $0.iso.startOfDay && $0.iso.month == 3 }
            let sorted = Formatted.all.sorted { [$0.julian.hour, $0.id] }
            try expectEqual(try await client.fetch(sorted).map(\.id), [1, 2])
            try await client.update(Formatted.all) {
                $0.set(\.day) { $0.iso }
                $0.set(\.seconds) { $0.iso }
                $0.set(\.milliseconds) { $0.iso.startOfMonth }
                $0.set(\.dateTime) { $0.interval.startOfWeek }
            }
            let found = try await client.fetch(Formatted.all)
            // Each is rounded as when it is set to a constant.
            try await client.update(Formatted.self, key: 1) {
                $0.set(\.day, to: dates[0])
                $0.set(\.seconds, to: dates[0])
            }
            let again = try await client.find(Formatted.self, key: 1)
            try expectEqual(found[0].day, again?.day)
            try expectEqual(found[0].seconds, again?.seconds)
            let march = Date(timeIntervalSince1970: 1_614_556_800)
            try expectEqual(found[0].milliseconds, march)
            try expectEqual(found[0].dateTime, march.addingTimeInterval(7 * 86_400))

            func expectFirst(
                _ condition: (Fields<Formatted>) -> Condition<Formatted>
            ) async throws {
                try expectEqual(try await client.fetch(Formatted.where(condition)).map(\.id), [1])
            }
        }
    ]

    private static let plans: [ConformanceCase] = [
        promise(.expressions, "a sort by what is computed is explained") { client in
            try await client.insert(EveryType(1))
            let plan = try await client.explain(EveryType.all.sorted { $0.int64 * 2 })
            try expectEqual(plan.isEmpty, false)
        }
    ]

    private static func insertArtists(_ client: any DBClient) async throws {
        let marvel = Studio(1, "Marvel", founded: 1939)
        try await client.insert([
            Artist(1, "Kirby", studio: marvel),
            Artist(2, "Lee", studio: Studio(2, "Image"), mentor: 1),
            Artist(3, "Nobody", mentor: 2), Artist(4, "Ditko", studio: marvel, mentor: 3),
        ])
    }
}

import DBClientCore
import DBClientTestSupport
import Foundation

/// Requests in the spellings that are typed by habit, each beside its plain one.
enum HabitCases {
    static let all: [ConformanceCase] = assignments + membership + references + selections

    private static let assignments: [ConformanceCase] = [
        promise(.expressions, "a field is set to what is computed of properties by their paths") {
            client in
            var model = EveryType(1)
            (model.int64, model.int32, model.optionalInt64, model.double) = (10, 4, 3, 1.5)
            model.text = "a"
            try await client.insert(model)
            func updated(
                _ assign: @escaping @Sendable (inout Assignments<EveryType>) -> Void
            ) async throws -> EveryType {
                try await client.update(model)
                _ = try await client.update(EveryType.all) { assign(&$0) }
                guard let found = try await client.find(EveryType.self, key: 1) else {
                    throw ConformanceFailure("the value is not there")
                }
                return found
            }
            try expectEqual(
                try await updated { $0.set(\.int64, to: \.int64 - \.int64 % 4) }.int64,
                8
            )
            try expectEqual(try await updated { $0.set(\.int64, to: \.int64 - 1) }.int64, 9)
            try expectEqual(try await updated { $0.set(\.int64, to: 1 - \.int64) }.int64, -9)
            try expectEqual(
                try await updated { $0.set(\.int64, to: \.int64 * 2 - \.int64 - 1) }.int64,
                9
            )
            try expectEqual(
                try await updated { $0.set(\.int64, to: \.int64 - (\.int64 % 4 + \.int64)) }.int64,
                -2
            )
            try expectEqual(
                try await updated { $0.set(\.int64, to: (\.int64 + 1) * \.int64) }.int64,
                110
            )
            try expectEqual(try await updated { $0.set(\.double, to: \.double * 2) }.double, 3)
            try expectEqual(try await updated { $0.set(\.text, to: \.text + "!") }.text, "a!")
            try expectEqual(try await updated { $0.set(\.text, to: "<" + \.text) }.text, "<a")
            try expectEqual(
                try await updated { $0.set(\.optionalInt64, to: \.optionalInt64 + 1) }
                    .optionalInt64,
                4
            )
            // What is always there is set to an optional field as well.
            try expectEqual(
                try await updated { $0.set(\.optionalInt64, to: \.int64 + 1) }.optionalInt64,
                11
            )
            try expectEqual(
                try await updated { $0.set(\.optionalInt64, to: \.int64) }.optionalInt64,
                10
            )
            try expectEqual(try await updated { $0.set(\.int64, to: \.int64) }.int64, 10)
            try await expectError(.invalidValue) {
                _ = try await updated { $0.set(\.int64, to: 1 / (\.int64 - \.int64)) }
            }
        },
        promise(.expressions, "a field is set to what is computed of the assignment's own fields") {
            client in
            var model = EveryType(1)
            (model.int64, model.int32, model.optionalInt64) = (10, 4, nil)
            try await client.insert(model)
            try await client.update(EveryType.all) {
                $0.set(\.int64, to: $0.int64 - $0.int32.converted(to: Int64.self))
                $0.set(\.int32, to: { $0.int32 + 1 })
                $0.set(\.optionalInt64, to: $0.optionalInt64 ?? $0.int64)
                $0.set(\.optionalInt32, to: $0.int32)
            }
            let found = try await client.find(EveryType.self, key: 1)
            try expectEqual(found?.int64, 6)
            try expectEqual(found?.int32, 5)
            try expectEqual(found?.optionalInt64, 10)
            try expectEqual(found?.optionalInt32, 4)
            // The fields of one value say nothing of another.
            try await expectError(.invalidRequest) {
                try await client.write { transaction in
                    _ = try transaction.update(EveryType.all) { outer in
                        let other = outer.int64
                        _ = try transaction.update(EveryType.all) { $0.set(\.int64, to: other + 1) }
                    }
                }
            }
        },
        promise(.expressions, "the smallest and largest of terms and constants in any place") {
            client in
            var model = EveryType(1)
            (model.int64, model.double, model.optionalInt64) = (10, 2.5, 7)
            var other = EveryType(2)
            (other.int64, other.double, other.optionalInt64) = (-3, 40, nil)
            try await client.insert([model, other])
            func values<Term: ExpressionTerm>(
                _ term: (Fields<EveryType>) -> Term
            ) async throws -> [Term.Value] where Term.Value: ColumnValue {
                try await client.fetch(EveryType.all.select(term))
            }
            try expectEqual(try await values { min($0.int64, 5) }, [5, -3])
            try expectEqual(try await values { max(5, $0.int64) }, [10, 5])
            try expectEqual(try await values { min($0.int64, 25, $0.int64 + 1) }, [10, -3])
            try expectEqual(try await values { max($0.int64, 5, $0.int64 - 1) }, [10, 5])
            try expectEqual(try await values { max(5, $0.int64, $0.int64 - 1) }, [10, 5])
            try expectEqual(try await values { max($0.int64, $0.int64 - 1, 5) }, [10, 5])
            try expectEqual(try await values { max($0.int64, $0.int64 - 1, 5, 6, 11) }, [11, 11])
            try expectEqual(try await values { min(20, $0.int64, 5) }, [5, -3])
            try expectEqual(try await values { min($0.int64, 20, 5) }, [5, -3])
            try expectEqual(try await values { min(20, 5, $0.int64) }, [5, -3])
            try expectEqual(
                try await values { min(0, $0.int64, $0.int64 * 2, $0.int64 * 3) },
                [0, -9]
            )
            try expectEqual(try await values { max($0.double, 25, $0.double * 2) }, [25, 80])
            try expectEqual(try await values { min($0.double, 25) }, [2.5, 25])
            // Absent where one is.
            try expectEqual(try await values { min($0.optionalInt64, 5) }, [5, nil])
            try expectEqual(try await values { max(5, $0.optionalInt64) }, [7, nil])
            try expectEqual(try await values { max($0.optionalInt64, $0.int64) }, [10, nil])
            try expectEqual(try await values { min($0.int64, $0.optionalInt64) }, [7, nil])
            try expectEqual(
                try await values { min($0.optionalInt64, 100, $0.optionalInt64) },
                [7, nil]
            )
            let small = EveryType.where { min($0.optionalInt64, 5) == 5 }
            try expectEqual(try await client.fetch(small).map(\.id), [1])
            let none = EveryType.where { max($0.optionalInt64, $0.int64) == nil }
            try expectEqual(try await client.fetch(none).map(\.id), [2])
        },
    ]

    private static let membership: [ConformanceCase] = [
        promise(.expressions, "what is computed is among values and in ranges") { client in
            var models = (1...4).map { EveryType($0) }
            for index in models.indices {
                models[index].int64 = Int64(index * 10)
                models[index].text = ["A", "b", "C", ""][index]
                models[index].optionalInt64 = index == 3 ? nil : Int64(index)
            }
            try await client.insert(models)
            func keys(
                _ condition: (Fields<EveryType>) -> Condition<EveryType>
            ) async throws -> [Int] {
                let some = EveryType.where(condition)
                let found = try await client.fetch(some).map(\.id)
                try expectEqual(try await client.count(some), found.count)
                return found
            }
            try expectEqual(try await keys { $0.text.lowercased().isIn(["a", "c"]) }, [1, 3])
            try expectEqual(try await keys { !$0.text.lowercased().isIn(["a", "c"]) }, [2, 4])
            try expectEqual(try await keys { ["b"].contains($0.text.lowercased()) }, [2])
            try expectEqual(try await keys { ($0.int64 + 1).isIn([1, 31, 5]) }, [1, 4])
            try expectEqual(try await keys { ($0.int64 + 1).isIn([]) }, [])
            try expectEqual(try await keys { !($0.int64 + 1).isIn([]) }, [1, 2, 3, 4])
            let many = (0..<1_500).map { Int64($0 * 20 + 1) }
            try expectEqual(try await keys { ($0.int64 + 1).isIn(many) }, [1, 3])
            try expectEqual(try await keys { ($0.optionalInt64 + 1).isIn([1, 2]) }, [1, 2])
            try expectEqual(try await keys { ($0.optionalInt64 + 1).isIn([nil, 2]) }, [2, 4])
            try expectEqual(try await keys { ($0.int64 + 1).isBetween(1...11) }, [1, 2])
            try expectEqual(try await keys { ($0.int64 + 1).isBetween(1..<11) }, [1])
            try expectEqual(try await keys { ($0.int64 + 1).isBetween(21...) }, [3, 4])
            try expectEqual(try await keys { ($0.int64 + 1).isBetween(...11) }, [1, 2])
            try expectEqual(try await keys { ($0.int64 + 1).isBetween(..<11) }, [1])
            try expectEqual(try await keys { (11...21).contains($0.int64 + 1) }, [2, 3])
            try expectEqual(try await keys { ($0.optionalInt64 * 2).isBetween(0...2) }, [1, 2])
            try expectEqual(try await keys { !($0.optionalInt64 * 2).isBetween(0...2) }, [3, 4])
            try expectEqual(try await keys { $0.text.lowercased().isEmpty }, [4])
            try await expectError(.invalidValue) {
                _ = try await keys { (1 / $0.int64).isIn([1, 2]) }
            }
        },
        promise(.parts, "the number of elements of a part") { client in
            try await client.insert(PartCases.leaflets)
            let some = Leaflet.where { $0.info.tags.count > 1 || $0.info.places.count == 2 }
            try expectEqual(try await client.fetch(some).map(\.id), [1])
            let none = Leaflet.where { $0.info.tags.count == nil }
            try expectEqual(try await client.fetch(none).map(\.id), [3, 4])
            let counts = try await client.fetch(
                Leaflet.all.select { ($0.info.tags.count, $0.info.places.count ?? 0) }
            )
            try expectEqual(counts.map(\.0), [2, 0, nil, nil])
            try expectEqual(counts.map(\.1), [2, 0, 0, 0])
            try expectEqual(
                try await client.fetch(Leaflet.where { $0.info.places[0].at.count == 3 }).map(\.id),
                [1]
            )
        },
    ]

    private static let references: [ConformanceCase] = [
        promise(.relationships, "a reference is compared with the value that it names") { client in
            let lee = Artist(1, "Lee")
            let ditko = Artist(2, "Ditko", mentor: 1)
            try await client.insert([lee, ditko, Artist(3, "Kirby", mentor: 2)])
            func keys(
                _ condition: (Fields<Artist>) -> Condition<Artist>
            ) async throws -> [Int] {
                try await client.fetch(Artist.where(condition)).map(\.id)
            }
            try expectEqual(try await keys { $0.mentor == lee }, [2])
            try expectEqual(try await keys { $0.mentor != lee }, [1, 3])
            let (some, none): (Artist?, Artist?) = (ditko, nil)
            try expectEqual(try await keys { $0.mentor == some }, [3])
            try expectEqual(try await keys { $0.mentor == none }, [1])
            try expectEqual(try await keys { $0.mentor != none }, [2, 3])
            try expectEqual(try await keys { $0.mentor == nil }, [1])
            try expectEqual(try await keys { $0.mentor.isIn([lee, ditko]) }, [2, 3])
            try expectEqual(try await keys { [lee].contains($0.mentor) }, [2])
            try expectEqual(try await keys { !$0.mentor.isIn([lee]) }, [1, 3])
            try expectEqual(try await keys { $0.mentor.isIn([Artist]()) }, [])
        },
        promise(.relationships, "a value that is held is among others") { client in
            let (marvel, image) = (
                Studio(1, "Marvel", founded: 1939), Studio(2, "Image", founded: 1992)
            )
            try await client.insert([
                Artist(1, studio: marvel), Artist(2, studio: image), Artist(3),
            ])
            let some = Artist.where { $0.studio.isIn([marvel, image]) }
            try expectEqual(try await client.fetch(some).map(\.id), [1, 2])
            let one = Artist.where { [image].contains($0.studio) }
            try expectEqual(try await client.fetch(one).map(\.id), [2])
            let others = Artist.where { !$0.studio.isIn([image]) }
            try expectEqual(try await client.fetch(others).map(\.id), [1, 3])
            try await client.insert([Contract(1, marvel), Contract(2, image)])
            let required = Contract.where { $0.studio.isIn([image]) }
            try expectEqual(try await client.fetch(required).map(\.id), [2])
        },
        promise(.joins, "a join names a reference and the key in either order") { client in
            try await client.insert([
                Artist(1, "Lee"), Artist(2, "Ditko", mentor: 1), Artist(3, "Kirby", mentor: 2),
            ])
            let inner = [
                Artist.join(Artist.self) { $0.mentor == $1.id },
                Artist.join(Artist.self) { $1.id == $0.mentor },
            ]
            for join in inner {
                let found = try await client.fetch(join.select { ($0.name, $1.name) })
                try expectEqual(found.map { "\($0.0) \($0.1)" }, ["Ditko Lee", "Kirby Ditko"])
            }
            let left = [
                Artist.leftJoin(Artist.self) { $0.mentor == $1.id },
                Artist.leftJoin(Artist.self) { $1.id == $0.mentor },
            ]
            for join in left {
                let found = try await client.fetch(join.select { ($0.name, $1.name) })
                try expectEqual(
                    found.map { "\($0.0) \($0.1 ?? "-")" },
                    ["Lee -", "Ditko Lee", "Kirby Ditko"]
                )
            }
            // The reference is of the joined model.
            let pupils = [
                Artist.leftJoin(Artist.self) { $0.id == $1.mentor },
                Artist.leftJoin(Artist.self) { $1.mentor == $0.id },
            ]
            for join in pupils {
                let found = try await client.fetch(join.select { ($0.name, $1.name) })
                try expectEqual(
                    found.map { "\($0.0) \($0.1 ?? "-")" },
                    ["Lee Ditko", "Ditko Kirby", "Kirby -"]
                )
            }
            // Neither a reference nor a key is there, which is no pair.
            let grand = Artist.leftJoin(Artist.self) { $0.mentor == $1.id }
                .leftJoin(Artist.self) { $1.mentor == $2.id }
            let found = try await client.fetch(grand.select { ($0.name, $2.name) })
            try expectEqual(
                found.map { "\($0.0) \($0.1 ?? "-")" },
                ["Lee -", "Ditko -", "Kirby Lee"]
            )
            let both = Artist.leftJoin(Artist.self) { $0.mentor == $1.id }
                .where { $0.mentor == $1.id }
            try expectEqual(try await client.fetch(both.select { artist, _ in artist.id }), [2, 3])
        },
        promise(.joins, "a join names a value that is held and its key in either order") { client in
            let (marvel, image) = (
                Studio(1, "Marvel", founded: 1939), Studio(2, "Image", founded: 1992)
            )
            try await client.insert([Artist(1, studio: marvel), Artist(2)])
            try await client.insert([Contract(1, marvel), Contract(2, image)])
            let artists = [
                Artist.leftJoin(Studio.self) { $0.studio == $1.id },
                Artist.leftJoin(Studio.self) { $1.id == $0.studio },
            ]
            for join in artists {
                let found = try await client.fetch(join.select { ($0.id, $1.name) })
                try expectEqual(found.map { "\($0.0) \($0.1 ?? "-")" }, ["1 Marvel", "2 -"])
            }
            let contracts = [
                Studio.leftJoin(Contract.self) { $0.id == $1.studio },
                Studio.leftJoin(Contract.self) { $1.studio == $0.id },
            ]
            for join in contracts {
                let found = try await client.fetch(join.select { ($0.name, $1.id) })
                try expectEqual(
                    found.map { "\($0.0) \($0.1 ?? 0)" },
                    ["Marvel 1", "Image 2"]
                )
            }
            let required = Contract.join(Studio.self) { $1.id == $0.studio }
            try expectEqual(try await client.count(required), 2)
        },
        promise(.conditions, "a key is among the references of another request") { client in
            try await client.insert([
                Artist(1, "Lee"), Artist(2, "Ditko", mentor: 1), Artist(3, "Kirby", mentor: 2),
            ])
            let mentors = Artist.where { $0.id.isIn(Artist.all.select(\.mentor)) }
            try expectEqual(try await client.fetch(mentors).map(\.id), [1, 2])
            let same = Artist.where { $0.mentor.isIn(Artist.where { $0.id == 3 }.select(\.mentor)) }
            try expectEqual(try await client.fetch(same).map(\.id), [3])
            let others = Artist.where { !$0.id.isIn(Artist.all.select(\.mentor).distinct()) }
            try expectEqual(try await client.fetch(others).map(\.id), [3])
            try await client.insert([Studio(1, "Marvel", founded: 1939)])
            try await client.insert(Imprint(1, "a"))
            let studios = Studio.where { $0.id.isIn(Imprint.all.select(\.studio)) }
            try expectEqual(try await client.fetch(studios).map(\.id), [1])
        },
        promise(.conditions, "a request that a value belongs to names a key in either order") {
            client in
            let marvel = Studio(1, "Marvel", founded: 1939)
            try await client.insert([
                Artist(1, "Lee", studio: marvel), Artist(2, "Ditko", mentor: 1),
            ])
            try await client.insert([Studio(2, "Image", founded: 1992)])
            let mentors = Artist.where { artist in
                Artist.all.exists { artist.id == $0.mentor }
            }
            try expectEqual(try await client.fetch(mentors).map(\.id), [1])
            let taught = Artist.where { artist in Artist.all.exists { $0.id == artist.mentor } }
            try expectEqual(try await client.fetch(taught).map(\.id), [2])
            let used = Studio.where { studio in Artist.all.exists { $0.studio == studio.id } }
            try expectEqual(try await client.fetch(used).map(\.id), [1])
            let unused = Studio.where { studio in !Artist.all.exists { studio.id == $0.studio } }
            try expectEqual(try await client.fetch(unused).map(\.id), [2])
            let employed = Artist.where { artist in Studio.all.exists { $0.id == artist.studio } }
            try expectEqual(try await client.fetch(employed).map(\.id), [1])
        },
    ]

    private static let selections: [ConformanceCase] = [
        promise(.select, "a limit and an offset behind what is selected") { client in
            try await JoinCases.insertSales(client)
            let buyers = ItemSale.all.sorted { [$0.buyer, $0.id] }.select(\.buyer, \.id)
            func keys(_ request: SelectRequest<(String, Int)>) async throws -> [Int] {
                try await client.fetch(request).map(\.1)
            }
            try expectEqual(try await keys(buyers), [1, 3, 6, 2, 5, 4])
            try expectEqual(try await keys(buyers.limit(2)), [1, 3])
            try expectEqual(try await keys(buyers.offset(4)), [5, 4])
            try expectEqual(try await keys(buyers.limit(2).offset(1)), [3, 6])
            try expectEqual(try await keys(buyers.offset(1).limit(2)), [3, 6])
            try expectEqual(try await keys(buyers.limit(2).limit(nil)), [1, 3, 6, 2, 5, 4])
            try expectEqual(try await keys(buyers.limit(5).limit(1).offset(9).offset(0)), [1])
            try expectEqual(try await keys(buyers.limit(0)), [])
            // In the place of those that were said before.
            let limited = ItemSale.all.limit(2).offset(1).select(\.id)
            try expectEqual(try await client.fetch(limited.limit(3)), [2, 3, 4])
            try expectEqual(try await client.fetch(limited.offset(3)), [4, 5])
            let computed = ItemSale.all.select { $0.quantity * 2 }.offset(2).limit(2)
            try expectEqual(try await client.fetch(computed), [6, 8])
            let mapped = buyers.map { "\($0.0)\($0.1)" }
            try expectEqual(try await client.fetch(mapped.limit(2)), ["a1", "a3"])
            try expectEqual(try await client.fetch(buyers.limit(2).map(\.1).offset(1)), [3, 6])
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            let names = lines.sorted { $1.name }.select { ($1.name, $0.id) }
            try expectEqual(
                try await client.fetch(names.limit(2).offset(1)).map(\.0),
                ["desk", "desk"]
            )
            try expectEqual(try await client.fetch(lines.models.limit(1)).map(\.0.id), [1])
            // Of rows that a function leaves.
            let odd = buyers.filter { _, id in id % 2 == 1 }
            try expectEqual(try await keys(odd), [1, 3, 5])
            try expectEqual(try await keys(odd.limit(1).offset(1)), [3])
            try expectEqual(try await client.fetch(odd.map(\.1).offset(1)), [3, 5])
            try expectEqual(try await keys(buyers.limit(2).filter { $0.1 > 1 }), [3])
            for request in [buyers.limit(-1), buyers.offset(-1), buyers.distinct().limit(-1)] {
                try await expectError(.invalidRequest) { _ = try await client.fetch(request) }
            }
        },
        promise(.select, "a limit and an offset behind selected groups") { client in
            try await JoinCases.insertSales(client)
            let sums = ItemSale.all.grouped(by: \.buyer).select(.sum(\.quantity))
            func rows(_ request: SelectRequest<(key: String, values: Int)>) async throws -> [String]
            {
                try await client.fetch(request).map { "\($0.key)\($0.values)" }
            }
            try expectEqual(try await rows(sums), ["a6", "b3", "c4"])
            try expectEqual(try await rows(sums.limit(2)), ["a6", "b3"])
            try expectEqual(try await rows(sums.limit(1).offset(1)), ["b3"])
            let large = sums.filter { $0.values > 3 }
            try expectEqual(try await rows(large), ["a6", "c4"])
            try expectEqual(try await rows(large.offset(1)), ["c4"])
            let names = large.map(\.key)
            try expectEqual(try await client.fetch(names.limit(1).offset(1)), ["c"])
            try expectEqual(try await rows(sums.limit(2).filter { $0.values < 5 }), ["b3"])
            let most = ItemSale.all.grouped(by: \.buyer).sorted { $0.sum(\.quantity).descending }
                .select(.sum(\.quantity))
            try expectEqual(try await rows(most.limit(2)), ["a6", "c4"])
            let totals = ItemSale.all.grouped(by: \.buyer).rollup.select(.sum(\.quantity))
            try expectEqual(try await client.fetch(totals.limit(2).offset(2)).count, 2)
            try await expectError(.invalidRequest) { _ = try await rows(sums.limit(-1)) }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(totals.offset(-1)).count
            }
        },
        promise(.select, "different rows of what is selected, in its order") { client in
            try await JoinCases.insertSales(client)
            let wares = ItemSale.all.sorted { $0.id.descending }.select(\.ware).distinct()
            try expectEqual(try await client.fetch(wares), [99, 12, nil, 10, 11])
            try expectEqual(try await client.fetch(wares.limit(2)), [99, 12])
            try expectEqual(try await client.fetch(wares.offset(1).limit(2)), [12, nil])
            try expectEqual(try await client.fetch(wares.limit(2).offset(4)), [11])
            // Of those that a limit before has left.
            let first = ItemSale.all.select(\.ware).limit(3)
            try expectEqual(try await client.fetch(first.distinct()), [10, 11])
            try expectEqual(try await client.fetch(first.distinct().limit(1)), [10])
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            let names = lines.select { $1.name }.distinct()
            try expectEqual(try await client.fetch(names), ["desk", "lamp", "chair"])
            let kinds = SoldItem.all.select(\.kind)
            let all = kinds.union(SoldItem.all.select(\.kind)).limit(1)
            try expectEqual(try await client.fetch(all), ["f"])
            let union = ItemSale.all.select(\.buyer).limit(2)
                .union(ItemSale.all.select(\.buyer).offset(3).limit(1))
            try expectEqual(try await client.fetch(union), ["a", "b", "c"])
            try expectEqual(try await client.fetch(union.offset(1).limit(1)), ["b"])
            try expectEqual(
                try await client.fetch(
                    ItemSale.all.select(\.buyer).subtracting(ItemSale.all.select(\.buyer).limit(1))
                ),
                ["b", "c"]
            )
            let found = SoldItem.where { $0.id.isIn(ItemSale.all.select(\.ware).limit(2)) }
            try expectEqual(try await client.fetch(found).map(\.id), [10, 11])
            try await expectError(.unsupported) {
                _ = try await client.fetch(ItemSale.all.select(\.id).map { $0 / 2 }.distinct())
            }
        },
        promise(.select, "an observer of a limited selection has the same rows") { client in
            try await JoinCases.insertSales(client)
            let request = ItemSale.all.sorted { $0.quantity.descending }.select(\.id).limit(2)
            var changes = client.observe(request).makeAsyncIterator()
            try expectEqual(try await changes.next()?.rows.map { $0 }, [4, 3])
            try await client.insert(ItemSale(7, ware: 10, quantity: 9))
            try expectEqual(try await changes.next()?.rows.map { $0 }, [7, 4])
        },
    ]
}

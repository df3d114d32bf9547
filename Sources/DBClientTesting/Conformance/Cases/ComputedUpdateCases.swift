import DBClientCore
import Foundation

/// Fields that are set to what is computed: of every type, beside other assignments, and where rows depend on another.
enum ComputedUpdateCases {
    static let all: [ConformanceCase] = assignments + rows

    private static let assignments: [ConformanceCase] = [
        promise(.expressions, "every assignment reads the row as it is stored") { client in
            var model = EveryType(1)
            (model.int64, model.optionalInt64, model.int32) = (1, 2, 3)
            try await client.insert(model)
            try await client.update(EveryType.all) {
                $0.set(\.int64) { $0.optionalInt64 ?? 0 }
                $0.set(\.optionalInt64) { $0.int64 }
                $0.set(\.int32, to: 30)
                $0.set(\.int16) { $0.int32.converted(to: Int16.self) + 1 }
            }
            let found = try await client.find(EveryType.self, key: 1)
            try expectEqual(found?.int64, 2)
            try expectEqual(found?.optionalInt64, 1)
            try expectEqual(found?.int32, 30)
            try expectEqual(found?.int16, 4)
        },
        promise(.expressions, "the last assignment of a field counts") { client in
            var model = EveryType(1)
            (model.int64, model.int32, model.int16, model.int8) = (1, 2, 3, 4)
            try await client.insert(model)
            try await client.update(EveryType.all) {
                $0.set(\.int64) { $0.int64 + 10 }
                $0.set(\.int64, to: 5)
                $0.set(\.int32, to: 5)
                $0.set(\.int32) { $0.int32 + 10 }
                $0.set(\.int16) { $0.int16 + 10 }
                $0.modify(\.int16) { $0 *= 2 }
                $0.modify(\.int8) { $0 *= 2 }
                $0.set(\.int8) { $0.int8 + 10 }
            }
            let found = try await client.find(EveryType.self, key: 1)
            try expectEqual(found?.int64, 5)
            try expectEqual(found?.int32, 12)
            try expectEqual(found?.int16, 26)
            try expectEqual(found?.int8, 14)
        },
        promise(.expressions, "fields of every type are set to what is computed") { client in
            let full = EveryType.full(1)
            try await client.insert(full)
            let (uuid, date) = (UUID(), Date(timeIntervalSince1970: 90_000.5))
            try await client.update(EveryType.all) {
                $0.set(\.int8) { max($0.int8, 5) }
                $0.set(\.uint8) { $0.uint8 / 2 }
                $0.set(\.uint32) { $0.uint32 / 3 }
                $0.set(\.uint64) { $0.uint64 / 3 }
                $0.set(\.uint) { $0.uint / 3 }
                $0.set(\.float) { $0.float / 3 }
                $0.set(\.double) { $0.double / 3 }
                $0.set(\.optionalDouble) { $0.float.converted(to: Double.self) }
                $0.set(\.text) { $0.text + "'" }
                $0.set(\.optionalText) { ($0.int64 > 0).then("more", else: "less") }
                $0.set(\.data) { $0.optionalData ?? $0.data }
                $0.set(\.date) { $0.date.startOfDay }
                $0.set(\.optionalDate) { ($0.int64 == 0).then($0.date, else: date) }
                $0.set(\.uuid) { ($0.int64 == 0).then($0.uuid, else: uuid) }
                $0.set(\.decimal) { ($0.int64 == 0).then($0.decimal, else: 12.75) }
                $0.set(\.optionalDecimal) { $0.decimal }
                $0.set(\.optionalUuid) { $0.uuid }
            }
            let found = try await client.fetch(EveryType.all)
            try expectEqual(found.count, 1)
            let value = found[0]
            try expectEqual(value.int8, Swift.max(full.int8, 5))
            try expectEqual(value.uint8, full.uint8 / 2)
            try expectEqual(value.uint32, full.uint32 / 3)
            try expectEqual(value.uint64, full.uint64 / 3)
            try expectEqual(value.uint, full.uint / 3)
            try expectEqual(value.float, full.float / 3)
            try expectEqual(value.double, full.double / 3)
            try expectEqual(value.optionalDouble, Double(full.float))
            try expectSameText([value.text], [full.text + "'"])
            try expectEqual(value.optionalText, full.int64 > 0 ? "more" : "less")
            try expectEqual(value.data, full.optionalData ?? full.data)
            let seconds = full.date.timeIntervalSince1970
            let day = (seconds / 86_400).rounded(.down) * 86_400
            try expectEqual(value.date, Date(timeIntervalSince1970: day))
            try expectEqual(value.optionalDate, full.int64 == 0 ? full.date : date)
            try expectEqual(value.uuid, full.int64 == 0 ? full.uuid : uuid)
            try expectEqual(value.decimal, full.int64 == 0 ? full.decimal : 12.75)
            try expectEqual(value.optionalDecimal, full.decimal)
            try expectEqual(value.optionalUuid, full.uuid)
            // What was written is found by conditions.
            let float = value.float
            try expectEqual(try await client.count(EveryType.where { $0.float == float }), 1)
            try expectEqual(try await client.count(EveryType.where { $0.decimal == 12.75 }), 1)
        },
        promise(.expressions, "an absent operand makes a field absent") { client in
            var model = EveryType(1)
            (model.optionalInt64, model.optionalText) = (1, "a")
            model.optionalDate = .distantPast
            try await client.insert(model)
            try await client.update(EveryType.all) {
                $0.set(\.optionalInt64) {
                    $0.optionalInt64 + $0.optionalInt32.converted(to: Int64.self)
                }
                $0.set(\.optionalText) { $0.optionalText + "b" }
                $0.set(\.optionalDate) { $0.optionalDate.startOfDay }
            }
            let found = try await client.find(EveryType.self, key: 1)
            try expectEqual(found?.optionalInt64, nil)
            try expectEqual(found?.optionalText, "ab")
            try expectEqual(found?.optionalDate != nil, true)
        },
        promise(.expressions, "what cannot be set to what is computed") { client in
            try await client.insert(EveryType(1))
            try await expectError(.invalidRequest) {
                _ = try await client.update(EveryType.all) { $0.set(\.id) { $0.id + 1 } }
            }
            try await client.insert([Artist(1, "a", studio: Studio(1, "s", founded: 1939))])
            try await expectError(.invalidRequest) {
                _ = try await client.update(Artist.all) {
                    $0.set(\.name) { $0.studio.name ?? "none" }
                }
            }
            try expectEqual(try await client.fetch(Artist.all).map(\.name), ["a"])
        },
    ]

    private static let rows: [ConformanceCase] = [
        promise(.expressions, "the rows are chosen before they are changed") { client in
            try await client.insert(
                (1...6).map { id in
                    var model = EveryType(id)
                    model.int64 = Int64(id)
                    return model
                }
            )
            let few = EveryType.where { $0.int64 < 4 }
            try expectEqual(
                try await client.update(few) { $0.set(\.int64) { $0.int64 + 3 } },
                3
            )
            try expectEqual(try await client.fetch(EveryType.all).map(\.int64), [4, 5, 6, 4, 5, 6])
            let page = EveryType.all.sorted { [-$0.int64, $0.id] }.limit(3).offset(1)
            try expectEqual(
                try await client.update(page) { $0.set(\.int64) { $0.int64 * 10 } },
                3
            )
            try expectEqual(
                try await client.fetch(EveryType.all).map(\.int64),
                [4, 50, 6, 4, 50, 60]
            )
            let last = EveryType.all.sorted { ($0.int64 % 50).descending }.limit(2)
            try expectEqual(try await client.delete(last), 2)
            try expectEqual(try await client.fetch(EveryType.all).map(\.id), [1, 2, 4, 5])
            let none = try await client.update(EveryType.all.limit(0)) {
                $0.set(\.int64) { 1 / ($0.int64 - $0.int64) }
            }
            try expectEqual(none, 0)
        },
        promise(.expressions, "a unique field is computed", requires: [.uniqueIndexes]) { client in
            try await client.insert([
                Account(1, email: "aaa", tenant: "x", login: "1", balance: 1),
                Account(2, email: "aa", tenant: "x", login: "2", balance: 2),
                Account(3, email: "a", tenant: "y", login: "1", balance: 3),
                Account(4, tenant: "y", login: "2", balance: 4),
            ])
            // In the order of the keys each takes a value that the one before it has given up.
            try expectEqual(
                try await client.update(Account.all) { $0.set(\.email) { $0.email + "a" } },
                4
            )
            try expectEqual(
                try await client.fetch(Account.all).map(\.email),
                ["aaaa", "aaa", "aa", nil]
            )
            try await expectError(.uniqueViolation) {
                _ = try await client.update(Account.all) {
                    $0.set(\.balance) { $0.balance + 100 }
                    $0.set(\.email) { $0.tenant }
                }
            }
            try await expectError(.uniqueViolation) {
                _ = try await client.update(Account.all) {
                    $0.set(\.balance) { $0.balance + 100 }
                    $0.set(\.login) { $0.tenant }
                }
            }
            try expectEqual(try await client.fetch(Account.all).map(\.balance), [1, 2, 3, 4])
            let found = Account.where { $0.email == "aaa" }
            try expectEqual(try await client.fetch(found).map(\.id), [2])
        },
        promise(.expressions, "observers see what was computed, and indexes have it") { client in
            try await client.insert((1...4).map { Hero($0, power: Double($0)) })
            var changes = client.observe(Hero.where { $0.power > 3 }).makeAsyncIterator()
            guard case .initial(let found)? = try await changes.next() else {
                throw ConformanceFailure("expected the result")
            }
            try expectEqual(found.map(\.id), [4])
            try await client.update(Hero.where { $0.id <= 2 }) {
                $0.set(\.power) { $0.power * 3 }
                $0.set(\.name) { $0.name + "!" }
            }
            guard case .update(let change)? = try await changes.next() else {
                throw ConformanceFailure("expected a change")
            }
            try expectEqual(change.objects.map(\.id), [2, 4])
            try expectEqual(change.objects.map(\.name), ["Hero 2!", "Hero 4"])
            try expectEqual(try await client.fetch(Hero.where { $0.power == 6 }).map(\.id), [2])
            let named = Hero.where { $0.name == "Hero 1!" }
            try expectEqual(try await client.fetch(named).map(\.power), [3])
        },
    ]
}

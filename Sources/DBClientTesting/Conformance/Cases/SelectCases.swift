import DBClientCore
import Foundation

/// Some fields of values, without the rest of them.
enum SelectCases {
    static let all: [ConformanceCase] = [
        promise(.select, "fields come as tuples in the order of the request") { client in
            try await client.insert(
                (1...5).map { Hero($0, publisherId: $0 % 2 == 0 ? nil : $0, power: Double($0 % 3)) }
            )
            let request = Hero.where { $0.id < 5 }.sorted { $0.power.descending }
            let rows = try await client.fetch(request.select(\.name, \.publisherId))
            try expectEqual(rows.map(\.0), ["Hero 2", "Hero 1", "Hero 4", "Hero 3"])
            try expectEqual(rows.map(\.1), [nil, 1, nil, 3])
            let blocking = try client.blocking.fetch(request.select(\.publisherId, \.name))
            try expectEqual(blocking.map(\.1), rows.map(\.0))
            let ids = try await client.fetch(request.offset(1).limit(2).select(\.id))
            try expectEqual(ids, [1, 4])
            try expectEqual(try await client.fetch(request.limit(0).select(\.id)).count, 0)
            try expectEqual(try await client.run(.fetch(request.select(\.id))), [2, 1, 4, 3])
        },
        promise(.select, "every kind of field") { client in
            let values = [EveryType(1), EveryType.full(2)]
            try await client.insert(values)
            func check<Value: StorableValue & Equatable>(
                _ field: KeyPath<EveryType, Value>
            ) async throws {
                let found = try client.blocking.fetch(EveryType.all.select(field))
                try expectEqual(found, values.map { $0[keyPath: field] }, "\(field)")
            }
            try await check(\.flag)
            try await check(\.int8)
            try await check(\.uint64)
            try await check(\.float)
            try await check(\.double)
            try await check(\.text)
            try await check(\.data)
            try await check(\.date)
            try await check(\.uuid)
            try await check(\.url)
            try await check(\.decimal)
            try await check(\.mood)
            try await check(\.tags)
            try await check(\.numbers)
            try await check(\.scores)
            try await check(\.place.city)
            try await check(\.optionalFlag)
            try await check(\.optionalText)
            try await check(\.optionalDate)
            try await check(\.optionalDecimal)
            try await check(\.optionalTags)
        },
        promise(.select, "more rows than a batch, and fields more than once") { client in
            try await client.insert((0..<1_000).map { Hero($0, "n\($0)") })
            let rows = try await client.fetch(Hero.all.select(\.id, \.name, \.id))
            try expectEqual(rows.map(\.0), Array(0..<1_000))
            try expectEqual(rows.map(\.1), (0..<1_000).map { "n\($0)" })
            try expectEqual(rows.map(\.2), Array(0..<1_000))
        },
        promise(.select, "a transaction selects what it wrote") { client in
            try await client.insert(Hero(1))
            try await client.write { transaction in
                try transaction.insert((2...100).map { Hero($0, "n\($0)") })
                let rows = try transaction.fetch(Hero.where { $0.id > 1 }.select(\.name, \.id))
                try expectEqual(rows.map(\.0), (2...100).map { "n\($0)" })
            }
        },
        promise(.select, "of an empty store, and of what is not stored") { client in
            try expectEqual(try await client.fetch(Hero.all.select(\.id)).count, 0)
            let error = try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.all.select(\.id, \.shout))
            }
            try expectEqual(error.entity, "Hero")
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.all.limit(-1).select(\.id))
            }
        },
    ]
}

import DBClientCore
import Foundation

/// Computed values that there are none of: what is not asked for, and what is told of the others.
enum MissingExpressionCases {
    static let all: [ConformanceCase] = guards

    private static let guards: [ConformanceCase] = [
        promise(.expressions, "what is not asked for throws nothing") { client in
            try await insertDivisors(client)
            func expect(
                _ expected: [Int],
                _ condition: (Fields<EveryType>) -> Condition<EveryType>
            ) async throws {
                let some = EveryType.where(condition)
                try expectEqual(try await client.fetch(some).map(\.id), expected)
                try expectEqual(try await client.count(some), expected.count)
            }
            try await expect([2, 3]) { $0.int64 != 0 && 12 / $0.int64 > 3 }
            // A condition that has an answer for every value is asked first, wherever it stands.
            try await expect([2, 3]) { 12 / $0.int64 > 3 && $0.int64 != 0 }
            try await expect([1, 2, 3]) { $0.int64 == 0 || 12 / $0.int64 > 3 }
            try await expect([1, 2, 3]) { 12 / $0.int64 > 3 || $0.int64 == 0 }
            try await expect([1, 4]) { !($0.int64 != 0 && 12 / $0.int64 > 3) }
            try await expect([2, 3]) {
                ($0.int64 == 0).then(0, else: 12 / $0.int64) > 3
            }
            try await expect([3]) {
                $0.int64 != 0 && 12 / $0.int64 > 3 && $0.text == "b" && 12 / $0.int64 < 9
            }
            let filtered = EveryType.where { 12 / $0.int64 > 3 }.filter { $0.int64 != 0 }
            try expectEqual(try await client.fetch(filtered).map(\.id), [2, 3])
        },
        promise(.expressions, "every call says that there is no value") { client in
            try await insertDivisors(client)
            let some = EveryType.where { 12 / $0.int64 > 3 }
            try await expectError(.invalidValue) { _ = try await client.fetch(some) }
            try await expectError(.invalidValue) { _ = try await client.count(some) }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(some.sorted { $0.text.descending })
            }
            try await expectError(.invalidValue) { _ = try await client.sum(\.int64, of: some) }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(some.select(\.id, \.text))
            }
            try await expectError(.invalidValue) { _ = try await client.distinct(\.text, of: some) }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(some.grouped(by: \.text).select(.count))
            }
            try await expectError(.invalidValue) { _ = try await client.delete(some) }
            try await expectError(.invalidValue) {
                _ = try await client.update(some) { $0.set(\.text, to: "c") }
            }
            try expectEqual(try await client.count(EveryType.where { $0.text == "c" }), 0)
            try expectEqual(try await client.count(EveryType.all), 4)
        },
        promise(.expressions, "a transaction goes on after there was no value") { client in
            try await insertDivisors(client)
            let some = EveryType.where { 12 / $0.int64 > 3 }
            try await client.write { transaction in
                try transaction.insert(EveryType(5))
                try expectErrorInside(.invalidValue) { _ = try transaction.fetch(some) }
                try expectErrorInside(.invalidValue) { _ = try transaction.delete(some) }
                try expectEqual(try transaction.count(EveryType.all), 5)
                try transaction.insert(EveryType(6))
            }
            try await client.read { transaction in
                try expectErrorInside(.invalidValue) { _ = try transaction.count(some) }
                try expectEqual(try transaction.count(EveryType.all), 6)
            }
        },
        promise(.expressions, "an observer is told that there is no value any more") { client in
            var model = EveryType(1)
            model.int64 = 2
            try await client.insert(model)
            let some = EveryType.where { 12 / $0.int64 > 3 }
            var changes = client.observe(some).makeAsyncIterator()
            guard case .initial(let found)? = try await changes.next() else {
                throw ConformanceFailure("expected the result")
            }
            try expectEqual(found.map(\.id), [1])
            try await client.update(EveryType.self, key: 1) { $0.set(\.int64, to: 3) }
            guard case .update(let change)? = try await changes.next() else {
                throw ConformanceFailure("expected a change")
            }
            try expectEqual(change.modifications.count, 1)
            try await client.update(EveryType.self, key: 1) { $0.set(\.int64, to: 0) }
            try await expectError(.invalidValue) { _ = try await changes.next() }
        },
    ]

    private static func insertDivisors(_ client: any DBClient) async throws {
        try await client.insert(
            [(0, "a"), (1, "a"), (2, "b"), (6, "b")].enumerated().map { index, pair in
                var model = EveryType(index + 1)
                (model.int64, model.text) = (Int64(pair.0), pair.1)
                return model
            }
        )
    }
}

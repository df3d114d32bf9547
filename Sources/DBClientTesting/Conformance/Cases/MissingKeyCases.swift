import DBClientCore
import Foundation

/// What is computed as a key, in a function or in an update where there is no value, on every engine.
enum MissingKeyCases {
    static let all: [ConformanceCase] = sorts + groups + updates

    /// A sort by what there is none of for one of the rows.
    private static let impossible = EveryType.all.sorted { 10 / ($0.int64 - 1) }

    private static let sorts: [ConformanceCase] = [
        promise(.expressions, "a sort without a key for a row fails, also of a page") { client in
            try await insertNumbers(client)
            let some = impossible.limit(2)
            try await expectError(.invalidValue) { _ = try await client.fetch(some) }
            try await expectError(.invalidValue) { _ = try await client.fetch(some.offset(1)) }
            try await expectError(.invalidValue) { _ = try await client.fetch(impossible.limit(1)) }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(impossible.select(\.id))
            }
            try await expectError(.invalidValue) {
                for try await _ in client.stream(impossible) {}
            }
            try await expectError(.invalidValue) { _ = try await client.sum(\.int32, of: some) }
            try await expectError(.invalidValue) { _ = try await client.distinct(\.text, of: some) }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(some.grouped(by: \.text).select(.count))
            }
            try await expectError(.invalidValue) { _ = try await client.delete(some) }
            try await expectError(.invalidValue) {
                _ = try await client.update(some) { $0.set(\.text, to: "c") }
            }
            var streamed: [Int] = []
            for try await model in client.stream(
                impossible.filter { $0.int64 != 1 },
                batchSize: 1
            ) { streamed.append(model.id) }
            try expectEqual(streamed, [1, 4, 3])
            // What asks for no order computes no key.
            try expectEqual(try await client.count(some), 2)
            try expectEqual(try await client.fetch(impossible.limit(0)).count, 0)
            try expectEqual(try await client.sum(\.int32, of: impossible), 10)
            try expectEqual(
                try await client.fetch(EveryType.all).map(\.text),
                ["a", "b", "a", "b"]
            )
        },
        promise(.expressions, "a key that leaves its type") { client in
            var model = EveryType(1)
            (model.int8, model.uint32, model.float) = (100, 2, 3e38)
            model.int64 = .max
            try await client.insert([model, EveryType(2)])
            for request in [
                EveryType.all.sorted { $0.int8 * 2 }, EveryType.all.sorted { $0.uint32 - 3 },
                EveryType.all.sorted { $0.float * 2 }, EveryType.all.sorted { $0.int64 + 1 },
                EveryType.all.sorted { [$0.text.count.descending, -$0.int8 - 29] },
            ] {
                try await expectError(.invalidValue) { _ = try await client.fetch(request) }
            }
        },
        promise(.expressions, "a transaction goes on after a key that there is none of") { client in
            try await insertNumbers(client)
            let groups = EveryType.all.grouped { 10 / ($0.int64 - 1) }.select(.count)
            try await client.write { transaction in
                try transaction.insert(EveryType(5))
                try expectErrorInside(.invalidValue) { _ = try transaction.fetch(impossible) }
                try expectErrorInside(.invalidValue) { _ = try transaction.fetch(groups) }
                try expectErrorInside(.invalidValue) {
                    _ = try transaction.update(EveryType.all) {
                        $0.set(\.int64) { 10 / ($0.int64 - 1) }
                    }
                }
                try expectErrorInside(.invalidValue) {
                    _ = try transaction.delete(impossible.limit(1))
                }
                try expectEqual(try transaction.fetch(EveryType.all).map(\.int64), [3, 1, 2, 3, 0])
                try transaction.insert(EveryType(6))
            }
            try await client.read { transaction in
                try expectErrorInside(.invalidValue) { _ = try transaction.fetch(impossible) }
                try expectEqual(try transaction.count(EveryType.all), 6)
            }
        },
        promise(.expressions, "an observer is told that there is no key any more") { client in
            try await insertNumbers(client)
            try await client.delete(EveryType.self, key: 2)
            var changes = client.observe(impossible).makeAsyncIterator()
            guard case .initial(let found)? = try await changes.next() else {
                throw ConformanceFailure("expected the result")
            }
            try expectEqual(found.map(\.id), [1, 4, 3])
            try await client.update(EveryType.self, key: 4) { $0.set(\.int64, to: 6) }
            guard case .update(let change)? = try await changes.next() else {
                throw ConformanceFailure("expected a change")
            }
            try expectEqual(change.objects.map(\.id), [4, 1, 3])
            try await client.update(EveryType.self, key: 4) { $0.set(\.int64, to: 1) }
            try await expectError(.invalidValue) { _ = try await changes.next() }
        },
    ]

    private static let groups: [ConformanceCase] = [
        promise(.expressions, "groups and functions where there is no value") { client in
            try await insertNumbers(client)
            try await expectError(.invalidValue) {
                let groups = EveryType.all.grouped { 10 / ($0.int64 - 1) }
                _ = try await client.fetch(groups.select(.count))
            }
            try await expectError(.invalidValue) {
                let sum: GroupTerm<EveryType, Int64> = .sum { 10 / ($0.int64 - 1) }
                _ = try await client.fetch(EveryType.all.grouped(by: \.text).select(sum))
            }
            try await expectError(.invalidValue) {
                let groups = EveryType.all.grouped(by: \.text)
                    .having { $0.sum { 10 / ($0.int64 - 1) } > 0 }
                _ = try await client.fetch(groups.select(.count))
            }
            try await expectError(.invalidValue) {
                _ = try await client.min(of: EveryType.all) { 10 / ($0.int64 - 1) }
            }
            try await expectError(.invalidValue) {
                _ = try await client.average(of: EveryType.all) { 10 / ($0.int64 - 1) }
            }
            // Groups without the row for which there is none.
            let some = EveryType.where { $0.int64 != 1 }.grouped { 10 / ($0.int64 - 1) }
            let rows = try await client.fetch(some.select(.count))
            try expectEqual(rows.map(\.key), [5, 10])
            try expectEqual(rows.map(\.values), [2, 1])
        },
        promise(.expressions, "a sum that leaves its type") { client in
            try await client.insert(
                (1...2).map { id in
                    var model = EveryType(id)
                    (model.int64, model.int8) = (.max - 1, 100)
                    return model
                }
            )
            try await expectError(.invalidValue) {
                let _: Int64 = try await client.sum(of: EveryType.all) { $0.int64 + 1 }
            }
            try await expectError(.invalidValue) {
                let _: Int8 = try await client.sum(of: EveryType.all) { $0.int8 + 1 }
            }
            let one: Int64 = try await client.sum(of: EveryType.all.limit(1)) { $0.int64 + 1 }
            try expectEqual(one, .max)
        },
    ]

    private static let updates: [ConformanceCase] = [
        promise(.expressions, "an update that cannot be computed for one row changes none") {
            client in
            try await insertNumbers(client)
            try await expectError(.invalidValue) {
                _ = try await client.update(EveryType.all.sorted { $0.id.descending }) {
                    $0.set(\.text, to: "c")
                    $0.set(\.int64) { $0.int64 * 4_000_000_000_000_000_000 }
                }
            }
            try await expectError(.invalidValue) {
                _ = try await client.update(EveryType.self, key: 2) {
                    $0.set(\.int64) { 10 / ($0.int64 - 1) }
                }
            }
            let found = try await client.fetch(EveryType.all)
            try expectEqual(found.map(\.int64), [3, 1, 2, 3])
            try expectEqual(found.map(\.text), ["a", "b", "a", "b"])
            // Of other rows nothing is computed.
            let some = EveryType.where { $0.int64 != 1 }
            let count = try await client.update(some) { $0.set(\.int64) { 10 / ($0.int64 - 1) } }
            try expectEqual(count, 3)
            try expectEqual(try await client.fetch(EveryType.all).map(\.int64), [5, 1, 10, 5])
        }
    ]

    private static func insertNumbers(_ client: any DBClient) async throws {
        try await client.insert(
            [(3, "a"), (1, "b"), (2, "a"), (3, "b")].enumerated().map { index, pair in
                var model = EveryType(index + 1)
                (model.int64, model.text) = (Int64(pair.0), pair.1)
                model.int32 = Int32(index + 1)
                return model
            }
        )
    }
}

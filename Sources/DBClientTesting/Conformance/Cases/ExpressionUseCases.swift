import DBClientCore
import Foundation

/// What is computed as a key of a sort, as a selected value, as a group, in an aggregate and in an update.
enum ExpressionUseCases {
    static let all: [ConformanceCase] = sorts + selections + updates

    private static let sorts: [ConformanceCase] = [
        promise(.expressions, "a sort by what is computed") { client in
            try await insertLines(client)
            func expect(
                _ expected: [Int],
                isStreamed: Bool = true,
                _ term: (Fields<EveryType>) -> some SortTerm<EveryType>
            ) async throws {
                let sorted = EveryType.all.sorted(term)
                try expectEqual(try await client.fetch(sorted).map(\.id), expected)
                let page = sorted.limit(2).offset(1)
                try expectEqual(try await client.fetch(page).map(\.id), Array(expected[1...2]))
                if isStreamed {
                    var streamed: [Int] = []
                    for try await model in client.stream(sorted, batchSize: 2) {
                        streamed.append(model.id)
                    }
                    try expectEqual(streamed, expected)
                }
                let ids = try await client.fetch(sorted.select(\.id))
                try expectEqual(ids, expected)
            }
            try await expect([5, 2, 1, 4, 3]) {
                $0.int64 * $0.int64 - $0.int32.converted(to: Int64.self)
            }
            try await expect([3, 1, 4, 2, 5]) {
                ($0.int64 * $0.int64 - $0.int32.converted(to: Int64.self)).descending
            }
            try await expect([2, 5, 1, 4, 3]) { $0.optionalInt64 + 0 }
            try await expect([3, 1, 4, 2, 5]) { ($0.optionalInt64 + 0).descending }
            try await expect([1, 4, 3, 2, 5]) { ($0.optionalInt64 + 0).nilsLast }
            try await expect([2, 5, 3, 1, 4]) { ($0.optionalInt64 + 0).descending.nilsFirst }
            try await expect([3, 1, 2, 5, 4]) { $0.text.lowercased() }
            try await expect([3, 1, 2, 5, 4]) { ($0.text + "").caseInsensitive }
            try await expect([3, 1, 5, 2, 4], isStreamed: false) { ($0.text + "").natural }
            try await expect([1, 3, 2, 4, 5]) { $0.text.count }
        },
        promise(.expressions, "a page after a value in a sort by what is computed") { client in
            try await insertLines(client)
            let requests: [FetchRequest<EveryType>] = [
                EveryType.all.sorted { $0.int64 * $0.int64 },
                EveryType.all.sorted { ($0.int64 * $0.int64).descending },
                EveryType.all.sorted { $0.optionalInt64 * 2 },
                EveryType.all.sorted { ($0.optionalInt64 * 2).descending },
                EveryType.all.sorted { [$0.text.lowercased(), $0.int64] },
                EveryType.all.sorted { ($0.optionalInt64 + 0).nilsLast },
                EveryType.all.sorted { ($0.optionalInt64 + 0).descending.nilsFirst },
                EveryType.all.sorted { $0.optionalInt64 ?? 3 },
                EveryType.all.sorted { ($0.text + "").caseInsensitive },
                EveryType.all.sorted { ($0.optionalText + $0.text).caseInsensitive.nilsLast },
                EveryType.all.sorted { [($0.int64 > 1).then("a", else: "b"), $0.int64 * -1] },
                EveryType.all.sorted { [$0.double / 3, $0.text.count.descending] },
            ]
            for request in requests {
                let all = try await client.fetch(request)
                for (position, model) in all.enumerated() {
                    let rest = try await client.fetch(request.after(model))
                    try expectEqual(rest.map(\.id), all.dropFirst(position + 1).map(\.id))
                }
            }
            // No condition says what comes after a text in natural order.
            let natural = EveryType.all.sorted { ($0.text + "").natural }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(natural.after(EveryType(1)))
            }
            try await expectError(.invalidRequest) {
                for try await _ in client.stream(natural) {}
            }
            // The place may have no key itself, or a row may have none.
            let divided = EveryType.all.sorted { 10 / ($0.int64 - 1) }
            var place = EveryType(9)
            place.int64 = 1
            try await expectError(.invalidValue) {
                _ = try await client.fetch(divided.after(place))
            }
            place.int64 = 3
            try await expectError(.invalidValue) {
                _ = try await client.fetch(divided.after(place))
            }
            let rest = divided.filter { $0.int64 != 1 }.after(place)
            try expectEqual(try await client.fetch(rest).map(\.id), [4])
        },
        promise(.expressions, "an observed sort by what is computed") { client in
            try await insertLines(client)
            let request = EveryType.all.sorted { $0.int64 * $0.int64 }.limit(3)
            var changes = client.observe(request).makeAsyncIterator()
            guard case .initial(let found)? = try await changes.next() else {
                throw ConformanceFailure("expected the result")
            }
            try expectEqual(found.map(\.id), try await client.fetch(request).map(\.id))
            try await client.update(EveryType.self, key: 3) { $0.set(\.int64, to: 0) }
            var rows = found.map(\.id)
            while rows != [3, 2, 5] {
                guard case .update(let change)? = try await changes.next() else {
                    throw ConformanceFailure("expected a change")
                }
                rows = change.objects.map(\.id)
            }
            try expectEqual(try await client.fetch(request).map(\.id), rows)
        },
        promise(.expressions, "a key of a sort that there is none of") { client in
            try await insertLines(client)
            let request = EveryType.all.sorted { 10 / ($0.int64 - 1) }
            try await expectError(.invalidValue) { _ = try await client.fetch(request) }
            try expectEqual(try await client.count(request), 5)
            let some = request.filter { $0.int64 != 1 }
            try expectEqual(try await client.fetch(some).map(\.id), [1, 3, 4])
        },
    ]

    private static let selections: [ConformanceCase] = [
        promise(.expressions, "what is computed is selected") { client in
            try await insertLines(client)
            let products = EveryType.all.sorted { $0.id }.select {
                ($0.id, $0.int64 * 2, $0.optionalInt64 + $0.int64, $0.text.uppercased())
            }
            let rows = try await client.fetch(products)
            try expectEqual(rows.map(\.0), [1, 2, 3, 4, 5])
            try expectEqual(rows.map(\.1), [-4, 2, 6, 4, 2])
            try expectEqual(rows.map(\.2), [0, nil, 8, 4, nil])
            try expectSameText(rows.map(\.3), ["B", "C10", "A", "éC9", "C9éé"])
            let one = EveryType.where { $0.int64 > 1 }.select { $0.int64 + 1 }
            try expectEqual(try await client.fetch(one), [4, 3])
            let choice = EveryType.all.limit(2).select { ($0.int64 > 0).then("more", else: "less") }
            try expectEqual(try await client.fetch(choice), ["less", "more"])
            try await expectError(.invalidValue) {
                _ = try await client.fetch(EveryType.all.select { 1 / ($0.int64 - 1) })
            }
            // Rows beyond the limit are not computed.
            let first = EveryType.all.limit(1).select { 1 / ($0.int64 - 1) }
            try expectEqual(try await client.fetch(first), [0])
        },
        promise(.expressions, "functions over what is computed") { client in
            try await insertLines(client)
            let sum: Int64 = try await client.sum(of: EveryType.all) { $0.int64 * $0.int64 }
            try expectEqual(sum, 19)
            let rest: Int64 = try await client.sum(of: EveryType.all) { $0.optionalInt64 * 2 }
            try expectEqual(rest, 18)
            let none: Int64 = try await client.sum(of: EveryType.where { $0.id > 9 }) {
                $0.int64 * 2
            }
            try expectEqual(none, 0)
            let average = try await client.average(of: EveryType.all) { $0.int64 * 2 }
            try expectEqual(average, 2)
            let least = try await client.min(of: EveryType.all) { $0.text.lowercased() }
            try expectEqual(least, "a")
            let greatest = try await client.max(of: EveryType.all) { $0.optionalInt64 - $0.int64 }
            try expectEqual(greatest, 4)
            let nothing = try await client.max(of: EveryType.where { $0.id > 9 }) { $0.int64 * 2 }
            try expectEqual(nothing, nil)
            try await expectError(.invalidValue) {
                let _: Int64 = try await client.sum(of: EveryType.all) { 1 / ($0.int64 - 1) }
            }
        },
        promise(.expressions, "groups by what is computed") { client in
            try await insertLines(client)
            let sum: GroupTerm<EveryType, Int64> = .sum { $0.int64 * 10 }
            let greatest: GroupTerm<EveryType, String?> = .max { $0.text.uppercased() }
            let groups = EveryType.all.grouped { $0.int64 % 2 }.select(.count, sum, greatest)
            let rows = try await client.fetch(groups)
            try expectEqual(rows.map(\.key), [0, 1])
            try expectEqual(rows.map(\.values.0), [2, 3])
            try expectEqual(rows.map(\.values.1), [0, 50])
            try expectEqual(rows.map(\.values.2), ["éC9", "C9éé"])
            let average: GroupTerm<EveryType, Double?> = .average { $0.int64 * 2 }
            let pairs = EveryType.all.grouped { ($0.optionalInt64 * 0, $0.text.count) }
                .having { $0.sum { $0.int64 + 1 } > 0 }.select(average)
            let found = try await client.fetch(pairs)
            try expectEqual(found.map(\.key.0), [nil, nil, 0, 0])
            try expectEqual(found.map(\.key.1), [3, 4, 1, 3])
            try expectEqual(found.map(\.values), [2, 2, 1, 4])
            let few = EveryType.all.grouped(by: \.int64).having {
                $0.max { $0.text.count } >= 3 && $0.average { $0.int64 * 2 } < 5
                    && $0.min { $0.int64 * 3 } > 2
            }
            try expectEqual(try await client.fetch(few.select(.count)).map(\.key), [1, 2])
            let squares: GroupTerm<EveryType, Int64> = .sum { $0.int64 * $0.int64 }
            let plain = EveryType.all.grouped(by: \.int64).select(squares)
            try expectEqual(try await client.fetch(plain).map(\.values), [4, 2, 4, 9])
        },
    ]

    private static let updates: [ConformanceCase] = [
        promise(.expressions, "a field is set to what is computed") { client in
            try await insertLines(client)
            let count = try await client.update(EveryType.where { $0.int64 > 0 }) {
                $0.set(\.int64) { $0.int64 * 10 - $0.id.converted(to: Int64.self) }
                $0.set(\.text) { $0.text + "!" }
                // From what was stored, not from what is set.
                $0.set(\.optionalInt64) { $0.int64 + 1 }
                $0.set(\.double, to: 2.5)
            }
            try expectEqual(count, 4)
            let found = try await client.fetch(EveryType.all)
            try expectEqual(found.map(\.int64), [-2, 8, 27, 16, 5])
            try expectEqual(found.map(\.optionalInt64), [2, 2, 4, 3, 2])
            try expectSameText(found.map(\.text), ["B", "c10!", "a!", "éc9!", "c9éé!"])
            try expectEqual(found.map(\.double), [0, 2.5, 2.5, 2.5, 2.5])
            try await client.update(EveryType.self, key: 1) { $0.set(\.int64) { -$0.int64 } }
            try expectEqual(try await client.find(EveryType.self, key: 1)?.int64, 2)
        },
        promise(.expressions, "nothing is set where there is no value") { client in
            try await insertLines(client)
            try await expectError(.invalidValue) {
                _ = try await client.update(EveryType.all) {
                    $0.set(\.int64) { 6 / ($0.int64 - 1) }
                }
            }
            try await expectError(.invalidValue) {
                _ = try await client.update(EveryType.all) { $0.set(\.int8) { $0.int8 + 127 + 1 } }
            }
            try await expectError(.invalidRequest) {
                _ = try await client.update(EveryType.all) { $0.set(\.id) { $0.id + 1 } }
            }
            try expectEqual(try await client.fetch(EveryType.all).map(\.int64), [-2, 1, 3, 2, 1])
        },
        promise(.expressions, "an observer sees what was set") { client in
            try await insertLines(client)
            var changes = client.observe(EveryType.where { $0.int64 > 2 }).makeAsyncIterator()
            guard case .initial(let found)? = try await changes.next() else {
                throw ConformanceFailure("expected the result")
            }
            try expectEqual(found.map(\.id), [3])
            try await client.update(EveryType.where { $0.id == 4 }) {
                $0.set(\.int64) { $0.int64 * 2 }
            }
            guard case .update(let change)? = try await changes.next() else {
                throw ConformanceFailure("expected a change")
            }
            try expectEqual(change.objects.map(\.id), [3, 4])
        },
    ]

    private static func insertLines(_ client: any DBClient) async throws {
        let lines: [(Int64, Int64?, Int32, String)] = [
            (-2, 2, 1, "B"), (1, nil, 0, "c10"), (3, 5, 0, "a"), (2, 2, 1, "éc9"),
            (1, nil, 2, "c9éé"),
        ]
        try await client.insert(
            lines.enumerated().map { index, line in
                var model = EveryType(index + 1)
                (model.int64, model.optionalInt64, model.int32, model.text) = line
                return model
            }
        )
    }
}

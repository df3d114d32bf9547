import DBClientCore
import Foundation

/// Text that is computed from the fields of a row, and choices between values.
enum ExpressionValueCases {
    static let all: [ConformanceCase] = texts + choices

    private static let texts: [ConformanceCase] = [
        promise(.expressions, "text is joined, counted by scalars and folded from A to Z") {
            client in
            let texts = [
                "", "abc", "ABC xyz", "É", "e\u{301}", "🇦🇹", "👨‍👩‍👧", "ß", "\u{10FFFF}", "ÀZ@[`{",
            ]
            try await client.insert(
                texts.enumerated().map { index, text in
                    var model = EveryType(index)
                    (model.text, model.optionalText) = (text, index % 2 == 0 ? text : nil)
                    model.data = Data(text.utf8)
                    return model
                }
            )
            for (index, text) in texts.enumerated() {
                try await ExpressionCases.expectValue(text.unicodeScalars.count, of: index, client)
                { $0.text.count }
                let bytes = text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
                try await ExpressionCases.expectValue(
                    String(decoding: bytes, as: UTF8.self),
                    of: index,
                    client
                ) {
                    $0.text.lowercased()
                }
                let raised = text.utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }
                try await ExpressionCases.expectValue(
                    String(decoding: raised, as: UTF8.self),
                    of: index,
                    client
                ) {
                    $0.text.uppercased()
                }
                try await ExpressionCases.expectValue("(\(text)|\(text)%)", of: index, client) {
                    "(" + $0.text + "|" + $0.text + "%)"
                }
                try await ExpressionCases.expectValue(
                    (index % 2 == 0 ? text : "none").unicodeScalars.count,
                    of: index,
                    client
                ) { ($0.optionalText ?? "none").fieldExpression.count }
                let isJoined = EveryType.where {
                    $0.id == index && $0.optionalText + $0.text == nil
                }
                try expectEqual(try await client.count(isJoined), index % 2)
            }
        },
        promise(.expressions, "computed text is ordered by its bytes") { client in
            try await client.insert(
                ["a", "B", "Ä", "\u{FFFF}", "\u{10000}"].enumerated().map { index, text in
                    var model = EveryType(index)
                    model.text = text
                    return model
                }
            )
            let found = EveryType.where { $0.text + "" > "b" }
            try expectEqual(try await client.fetch(found).map(\.id), [2, 3, 4])
            let folded = EveryType.where { $0.text.lowercased() <= "b" }
            try expectEqual(try await client.fetch(folded).map(\.id), [0, 1])
            let least = EveryType.where { max($0.text, "\u{FFFF}") == "\u{FFFF}" }
            try expectEqual(try await client.fetch(least).map(\.id), [0, 1, 2, 3])
        },
    ]

    private static let choices: [ConformanceCase] = [
        promise(.expressions, "an absent value equals another and nothing else") { client in
            var (first, second) = (EveryType(1), EveryType(2))
            (first.optionalInt64, first.int64) = (nil, 3)
            (second.optionalInt64, second.int64) = (3, 3)
            try await client.insert([first, second])
            func expect(
                _ expected: [Int],
                _ condition: (Fields<EveryType>) -> Condition<EveryType>
            ) async throws {
                let some = EveryType.where(condition)
                try expectEqual(try await client.fetch(some).map(\.id), expected)
                try expectEqual(try await client.count(some), expected.count)
            }
            try await expect([2]) { $0.optionalInt64 + 1 == $0.int64 + 1 }
            try await expect([1]) { $0.optionalInt64 + 1 != $0.int64 + 1 }
            try await expect([1, 2]) { $0.optionalInt64 + 1 == $0.optionalInt64 + 1 }
            try await expect([]) { $0.optionalInt64 + 1 != $0.optionalInt64 + 1 }
            try await expect([2]) { $0.optionalInt64 + 1 <= $0.int64 + 1 }
            try await expect([1]) { !($0.optionalInt64 + 1 <= $0.int64 + 1) }
            try await expect([1]) { $0.optionalInt64 + 1 == nil }
            try await expect([2]) { $0.optionalInt64 + 1 != nil }
            try await expect([]) { $0.optionalInt64 + 1 < nil }
            try await expect([1]) { $0.optionalInt64 * 2 != 6 }
            try await expect([1, 2]) { ($0.optionalInt64 ?? $0.int64) == 3 }
            try await expect([1]) { ($0.optionalInt64 * 2 ?? 0) == 0 }
        },
        promise(.expressions, "one of two values, dates and decimals too") { client in
            var (first, second) = (EveryType(1), EveryType(2))
            let early = Date(timeIntervalSince1970: -5_000_000_000.5)
            let late = Date(timeIntervalSince1970: 5_000_000_000.25)
            (first.flag, first.date, first.optionalDate) = (true, early, late)
            (second.flag, second.date, second.optionalDate) = (false, late, nil)
            (first.decimal, second.decimal) = (9, 10)
            first.optionalDecimal = 10
            try await client.insert([first, second])
            try await ExpressionCases.expectValue(early, of: 1, client) {
                min($0.date, $0.optionalDate ?? Date(timeIntervalSince1970: 0))
            }
            try await ExpressionCases.expectValue(late, of: 2, client) {
                $0.flag.condition.then($0.optionalDate ?? early, else: $0.date)
            }
            try await ExpressionCases.expectValue(10, of: 1, client) {
                max($0.decimal, $0.optionalDecimal ?? 0)
            }
            try await ExpressionCases.expectValue(10, of: 2, client) {
                max($0.decimal, $0.optionalDecimal ?? 0)
            }
            try await ExpressionCases.expectValue("yes", of: 1, client) {
                $0.flag.condition.then("yes", else: "no")
            }
            try await ExpressionCases.expectValue("no", of: 2, client) {
                ($0.flag == true).then("yes", else: "no")
            }
        },
    ]
}

import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

@Suite struct ConditionTests {
    private static let texts = [
        "", "a", "A", "ab", "aB", "%", "_", "a%b", "a_b", "*", "?", "[", "]", "[a]", "a[b", "[[]",
        "^", "\\", "'", "\"", "a'b\"c", "\u{E9}", "e\u{301}", "\u{C9}", "\u{D7FF}", "\u{D7FF}x",
        "\u{E000}", "\u{10FFFF}", "\u{10FFFF}\u{10FFFF}", "a\u{10FFFF}", "b", "\u{1F600}z",
    ]

    private static func client() throws -> SQLDBClient {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert(
            texts.enumerated().map { Hero(id: $0, name: $1, team: $0 % 3 == 0 ? nil : $1) }
        )
        return client
    }

    /// What the library's own evaluator over rows says; it is the meaning that SQL must have.
    private static func expected(_ request: FetchRequest<Hero>) throws -> [Int] {
        let predicate = RowPredicate(try request.rowQuery().condition, of: Hero.schema.entity)
        return try texts.indices.filter { index in
            let buffer = RowBuffer(Hero.schema.entity)
            var row = try buffer.beginRow()
            try Hero(id: index, name: texts[index], team: index % 3 == 0 ? nil : texts[index])
                .write(to: &row)
            try buffer.endRow(row)
            return predicate.matches(BufferedRow(batch: buffer.batch))
        }
    }

    @Test(arguments: texts)
    func textIsTakenLiterally(needle: String) throws {
        let client = try Self.client()
        func check(_ build: (Fields<Hero>) -> Condition<Hero>) throws {
            let request = Hero.where(build)
            let expected = try Self.expected(request)
            let found = try client.blocking.fetch(request).map(\.id)
            let plan = try client.blocking.read { try $0.explain(request) }
            #expect(found == expected, "\(needle.debugDescription): \(plan)")
        }
        for ignoresCase in [false, true] {
            try check { $0.name.hasPrefix(needle, ignoringCase: ignoresCase) }
            try check { $0.name.hasSuffix(needle, ignoringCase: ignoresCase) }
            try check { $0.name.contains(needle, ignoringCase: ignoresCase) }
            try check { $0.name.isLike(needle, ignoringCase: ignoresCase) }
            try check { $0.name.isLike("*\(needle)?", ignoringCase: ignoresCase) }
            try check { !$0.team.hasPrefix(needle, ignoringCase: ignoresCase) }
            try check { !$0.team.contains(needle, ignoringCase: ignoresCase) }
        }
        try check { $0.name == needle }
        try check { $0.name != needle }
        try check { $0.team < needle }
        try check { !($0.team < needle) }
        try check { !($0.team == needle) || $0.name >= needle }
        try check { $0.team != needle && !($0.team == nil) }
        try check { $0.name.equalsIgnoringCase(needle) }
        try check { !$0.team.isIn([needle, "b"]) }
    }

    @Test func longListsAreFound() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert(
            (0..<300).map {
                Hero(
                    id: $0,
                    name: "n\($0)",
                    power: Double($0) / 8,
                    badge: Data([UInt8($0 % 256), 7])
                )
            }
        )
        for count in [0, 1, 2, 3, 127, 128, 129, 250, 40_000] {
            let list = (0..<count).map { $0 * 2 }
            let expected = (0..<300).filter { $0 % 2 == 0 && $0 < count * 2 }
            #expect(
                try client.blocking.fetch(Hero.where { $0.id.isIn(list) }).map(\.id) == expected
            )
            #expect(
                try client.blocking.fetch(Hero.where { $0.name.isIn(list.map { "n\($0)" }) })
                    .map(\.id) == expected
            )
        }
        let badges = (0..<200).map { Optional(Data([UInt8($0), 7])) }
        #expect(try client.blocking.count(Hero.where { $0.badge.isIn(badges) }) == 244)
        let powers = (0..<200).map { Double($0) / 8 }
        #expect(try client.blocking.count(Hero.where { $0.power.isIn(powers) }) == 200)
    }

    @Test func wideConditionsStayShallow() throws {
        let client = try Self.client()
        let request = Hero.where { hero in
            (0..<3_000).reduce(.constant(false)) { $0 || hero.id == $1 * 5 }
        }
        #expect(try client.blocking.fetch(request).map(\.id) == [0, 5, 10, 15, 20, 25, 30])
    }

    @Test func elementsOfListsAreFoundExactly() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        let strings = [
            "a", "A", "", "a\"b", "\\", "\u{E9}", "e\u{301}", "\n", "/", "1", "true", "null",
        ]
        try client.blocking.insert(
            strings.enumerated().map { Hero(id: $0, name: "", aliases: [$1, "x\($1)"]) }
        )
        for (id, string) in strings.enumerated() {
            let found = try client.blocking.fetch(Hero.where { $0.aliases.contains(string) })
            #expect(found.map(\.id) == [id], "\(string.debugDescription)")
        }
    }

    @Test func sumsAreExact() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        let values = [Int.max, 5, -10, Int.min, 3]
        try client.blocking.insert(
            values.enumerated().map { Hostile(select: "s", quote: "\($0)", value: $1) }
        )
        #expect(try client.blocking.sum(\Hostile.value, of: Hostile.all) == -3)
        #expect(
            try client.blocking.sum(\Hostile.value, of: Hostile.where { $0.value < 0 }.limit(1))
                == -10
        )
        #expect(
            code {
                _ = try client.blocking.sum(\Hostile.value, of: Hostile.where { $0.value > 0 })
            } == .invalidValue
        )
        #expect(
            code {
                _ = try client.blocking.sum(\Hostile.value, of: Hostile.where { $0.value < 0 })
            } == .invalidValue
        )
        #expect(try client.blocking.sum(\Hostile.value, of: Hostile.where { $0.value == 77 }) == 0)
    }
}

private struct BufferedRow: SlotSource {
    let batch: RowBatch

    func slot(_ column: Int) -> Slot { batch[0, column] }
}

import DBClientCore
import Testing

@Suite("Conditions over rows")
struct RowPredicateTests {
    @Test("A prepared condition says what the plain evaluation says, over random trees and rows")
    func random() throws {
        var generator = SeededGenerator(seed: 3)
        let rows = (0..<200).map { Sample.row($0, using: &generator) }
        let buffer = try Sample.buffer(rows)
        var trueCount = 0
        for _ in 0..<1_500 {
            let condition = RandomCondition.make(depth: 3, rows, using: &generator)
            let predicate = RowPredicate(condition, of: Sample.entity)
            for (index, row) in rows.enumerated() {
                let expected = Evaluation.holds(condition, for: row)
                if expected { trueCount += 1 }
                let actual = predicate.matches(BufferRow(buffer: buffer, index: index))
                #expect(actual == expected, "\(condition) for \(row)")
                if actual != expected { return }
            }
        }
        // The generator makes neither only true nor only false conditions.
        #expect((30_000..<270_000).contains(trueCount))
    }

    @Test("A condition knows its fields and whether it is always true")
    func shape() {
        let condition = RowCondition.all([
            .isNil(column: 3), .any([.isIn(column: 1, []), .not(.isNil(column: 3))]),
        ])
        let predicate = RowPredicate(condition, of: Sample.entity)
        #expect(predicate.columns == [1, 3])
        #expect(!predicate.isAlwaysTrue)
        #expect(RowPredicate(.constant(true), of: Sample.entity).isAlwaysTrue)
        #expect(!RowPredicate(.constant(false), of: Sample.entity).isAlwaysTrue)
    }

    @Test("A negated comparison is true of an absent field, unlike in SQL")
    func absent() throws {
        let row = try makeBuffer(Sample.entity, [.integer(1), .null, .null, .null, .null, .null])
        for comparison in [Comparison.equal, .less, .lessOrEqual, .greater, .greaterOrEqual] {
            let condition = RowCondition.compare(
                column: Sample.integer,
                comparison,
                .integer(0),
                .binary
            )
            for (condition, expected) in [(condition, false), (.not(condition), true)] {
                let predicate = RowPredicate(condition, of: Sample.entity)
                #expect(predicate.matches(BufferRow(buffer: row, index: 0)) == expected)
            }
        }
    }
}

/// Random conditions on the sample entity, with constants that occur in the rows and some that do not.
enum RandomCondition {
    static func make(
        depth: Int,
        _ rows: [[StorageValue]],
        using generator: inout SeededGenerator
    ) -> RowCondition {
        func operands() -> [RowCondition] {
            (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                make(depth: depth - 1, rows, using: &generator)
            }
        }
        switch depth == 0 ? 9 : Int.random(in: 0..<7, using: &generator) {
        case 0, 1: return .all(operands())
        case 2, 3: return .any(operands())
        case 4: return .not(make(depth: depth - 1, rows, using: &generator))
        default: return leaf(rows, using: &generator)
        }
    }

    static func leaf(
        _ rows: [[StorageValue]],
        using generator: inout SeededGenerator
    ) -> RowCondition {
        let column = Int.random(in: 1...5, using: &generator)
        func constant() -> StorageValue {
            for _ in 0..<100 {
                let value = Sample.row(0, using: &generator)[column]
                if !value.isNull { return value }
            }
            return .text("")
        }
        let comparisons: [Comparison] = [
            .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        switch Int.random(in: 0..<11, using: &generator) {
        case 0: return .isNil(column: column)
        case 1: return .constant(.random(using: &generator))
        case 2:
            return .isIn(
                column: column,
                (0..<Int.random(in: 0...3, using: &generator)).map { _ in constant() }
            )
        case 3, 4, 5:
            let kinds: [TextPattern.Kind] = [.prefix, .suffix, .contains, .wildcard]
            return .matches(
                column: Sample.text,
                TextPattern(
                    kinds.randomElement(using: &generator) ?? .prefix,
                    Sample.word(using: &generator),
                    ignoresCase: .random(using: &generator)
                )
            )
        case 6:
            let words = [#""a""#, #""a,b""#, #""[""#, #""\"""#, #""""#, #"b"#]
            return .hasElement(
                column: Sample.list,
                json: .text(words.randomElement(using: &generator) ?? "")
            )
        case 10:
            return .elementCount(
                column: Sample.list,
                comparisons.randomElement(using: &generator) ?? .equal,
                Int.random(in: -1...3, using: &generator)
            )
        case 7:
            let pairs = [(column, column), (Sample.text, Sample.list), (Sample.list, Sample.text)]
            let pair = pairs.randomElement(using: &generator) ?? (column, column)
            return .compareFields(
                column: pair.0,
                comparisons.randomElement(using: &generator) ?? .equal,
                to: pair.1
            )
        default:
            return .compare(
                column: column,
                comparisons.randomElement(using: &generator) ?? .equal,
                constant(),
                column == Sample.text && Bool.random(using: &generator)
                    ? .caseInsensitive : .binary
            )
        }
    }
}

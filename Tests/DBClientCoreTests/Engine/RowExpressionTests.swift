import Testing

@testable import DBClientCore

@Suite("Expressions over rows")
struct RowExpressionTests {
    @Test("Computed values compare as the plain evaluation says, over random trees and rows")
    func random() throws {
        var generator = SeededGenerator(seed: 11)
        let rows = (0..<60).map { Sample.row($0, using: &generator) }
        let buffer = try Sample.buffer(rows)
        var (answers, trueCount, failures) = (0, 0, 0)
        for _ in 0..<3_000 {
            let condition = RandomExpression.condition(depth: 3, using: &generator)
            for (index, row) in rows.enumerated() {
                // A predicate that has failed once has no answer any more.
                let predicate = RowPredicate(condition, of: Sample.entity)
                let found = predicate.matches(BufferRow(buffer: buffer, index: index))
                let expected = try? Evaluation.answer(condition, for: row)
                let hasFailed = (try? predicate.check()) == nil
                #expect(hasFailed == (expected == nil), "\(condition) for \(row)")
                if hasFailed != (expected == nil) { return }
                answers += 1
                if let expected {
                    #expect(found == expected, "\(condition) for \(row)")
                    if found != expected { return }
                    if found { trueCount += 1 }
                } else {
                    #expect(condition.canFail)
                }
                if hasFailed { failures += 1 }
            }
        }
        // The generator makes neither only true nor only false conditions, nor only errors.
        #expect((answers / 20..<answers / 2).contains(trueCount))
        #expect((answers / 100..<answers / 2).contains(failures))
    }

    @Test("What has an answer for every row is asked first")
    func guards() {
        let plain = RowCondition.isNil(column: 1)
        let other = RowCondition.isNil(column: 2)
        let first = RowCondition.computed(
            .function(.divide, Self.integer, [.constant(.integer(1), Self.integer), .field(1)]),
            .equal,
            .constant(.integer(1), Self.integer)
        )
        #expect(first.canFail)
        #expect(
            (Condition<Probe>(first, canFail: true) && Condition(plain)).row
                == .guarded(plain, first)
        )
        let three = Condition<Probe>(first, canFail: true) && Condition(plain) && Condition(other)
        #expect(three.row == .guarded(.all([plain, other]), first))
        let either = Condition<Probe>(first, canFail: true) || Condition(plain)
        #expect(either.row == .not(.guarded(.not(plain), .not(first))))
        #expect((Condition<Probe>(plain) && Condition(other)).row == .all([plain, other]))
    }

    private static let integer = FieldType.integer(bits: 64, signed: true)
}

/// Random expressions on the sample entity, whose numbers are small, with constants at the ends of the ranges.
enum RandomExpression {
    private static let integer = FieldType.integer(bits: 64, signed: true)

    static func condition(depth: Int, using generator: inout SeededGenerator) -> RowCondition {
        let comparisons: [Comparison] = [
            .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        let type: FieldType = [integer, .double, .text].randomElement(using: &generator) ?? .text
        let condition = RowCondition.computed(
            make(type, depth: depth, using: &generator),
            comparisons.randomElement(using: &generator) ?? .equal,
            make(type, depth: depth - 1, using: &generator)
        )
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .not(condition)
        case 1: return .guarded(leaf(using: &generator), condition)
        default: return condition
        }
    }

    private static func leaf(using generator: inout SeededGenerator) -> RowCondition {
        RandomCondition.leaf([], using: &generator)
    }

    static func make(
        _ type: FieldType,
        depth: Int,
        using generator: inout SeededGenerator
    ) -> RowExpression {
        guard depth > 0, Int.random(in: 0..<5, using: &generator) > 0 else {
            return term(type, using: &generator)
        }
        func operands(_ count: Int, using generator: inout SeededGenerator) -> [RowExpression] {
            (0..<count).map { _ in make(type, depth: depth - 1, using: &generator) }
        }
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: return .firstPresent(operands(2, using: &generator))
        case 1:
            let values = operands(2, using: &generator)
            return .choice(leaf(using: &generator), then: values[0], else: values[1])
        case 2:
            let function: RowFunction = Bool.random(using: &generator) ? .least : .greatest
            return .function(function, type, operands(3, using: &generator))
        default: break
        }
        switch type {
        case .text:
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: return .function(.lowercased, type, operands(1, using: &generator))
            case 1: return .function(.uppercased, type, operands(1, using: &generator))
            default: return .function(.join, type, operands(3, using: &generator))
            }
        case .double:
            let functions: [RowFunction] = [.add, .subtract, .multiply, .divide]
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: return .function(.negate, type, operands(1, using: &generator))
            case 1: return .function(.magnitude, type, operands(1, using: &generator))
            case 2:
                let number = make(integer, depth: depth - 1, using: &generator)
                return .function(.convert, type, [number])
            default:
                let function = functions.randomElement(using: &generator) ?? .add
                return .function(function, type, operands(2, using: &generator))
            }
        default:
            let functions: [RowFunction] = [.add, .subtract, .multiply, .divide, .remainder]
            let width = [8, 16, 32, 64].randomElement(using: &generator) ?? 64
            let narrow = FieldType.integer(bits: width, signed: .random(using: &generator))
            switch Int.random(in: 0..<9, using: &generator) {
            case 0: return .function(.negate, narrow, operands(1, using: &generator))
            case 1: return .function(.magnitude, narrow, operands(1, using: &generator))
            case 2:
                let text = make(.text, depth: depth - 1, using: &generator)
                return .function(.count, integer, [text])
            case 3:
                let number = make(.double, depth: depth - 1, using: &generator)
                return .function(.convert, narrow, [number])
            case 4: return .function(.convert, narrow, operands(1, using: &generator))
            default:
                let function = functions.randomElement(using: &generator) ?? .add
                let isNarrow = Int.random(in: 0..<3, using: &generator) == 0
                return .function(
                    function,
                    isNarrow ? narrow : integer,
                    operands(Int.random(in: 2...3, using: &generator), using: &generator)
                )
            }
        }
    }

    private static func term(
        _ type: FieldType,
        using generator: inout SeededGenerator
    ) -> RowExpression {
        let isField = Int.random(in: 0..<3, using: &generator) > 0
        switch type {
        case .text:
            return isField
                ? .field(Sample.text) : .constant(.text(Sample.word(using: &generator)), type)
        case .double:
            let numbers: [Double] = [0, 1, -2.5, 1e300, -1e-300, .leastNonzeroMagnitude]
            return isField
                ? .field(Sample.real)
                : .constant(.real(numbers.randomElement(using: &generator) ?? 0), type)
        default:
            let numbers: [Int64] = [0, 1, -1, 2, 100, -129, .max, .min, 1 << 40]
            return isField
                ? .field(Sample.integer)
                : .constant(.integer(numbers.randomElement(using: &generator) ?? 0), type)
        }
    }
}

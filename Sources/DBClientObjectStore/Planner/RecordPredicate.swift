import DBClientCore

/// A condition made ready to be asked of records where they lie.
///
/// Comparisons with a number that must all hold become ranges, tested on the stored bytes with neither
/// a slot nor a branch on the operator. What else there is in the condition is asked of slots, and only
/// of records that pass.
final class RecordPredicate {
    /// A range that a number must be in, or must not.
    fileprivate struct Test {
        var kind: RecordLayout.Field.Kind
        var nullMask: UInt8
        /// Whether the value must be outside; an absent one is.
        var isNegated: Bool
        var nullByte: Int
        var offset: Int
        /// The least value, as the field stores it.
        var lower: UInt64
        /// The greatest value: for integers its distance from the least.
        var upper: UInt64

        init(
            _ field: RecordLayout.Field,
            _ comparison: Comparison,
            lower: UInt64,
            upper: UInt64
        ) {
            kind = field.kind
            nullMask = field.nullMask
            isNegated = comparison == .notEqual
            nullByte = Int(field.nullByte)
            offset = Int(field.offset)
            self.lower = lower
            self.upper = upper
        }
    }

    private let tests: UnsafeMutablePointer<Test>
    private let end: UnsafeMutablePointer<Test>
    private let rest: RowPredicate
    private let hasRest: Bool

    /// Prepares a condition on the records of a layout.
    init(_ condition: RowCondition, _ layout: RecordLayout, of entity: EntitySchema) {
        var made: [Test] = []
        var others: [RowCondition] = []
        Self.flatten(condition) { part in
            if let test = Self.test(part, layout) { made.append(test) } else { others.append(part) }
        }
        rest = RowPredicate(others.count == 1 ? others[0] : .all(others), of: entity)
        tests = .allocate(capacity: max(made.count, 1))
        tests.initialize(from: made, count: made.count)
        end = tests + made.count
        hasRest = !others.isEmpty && !rest.isAlwaysTrue
    }

    deinit {
        tests.deallocate()
    }

    /// Returns whether a record fulfils the condition.
    @inline(__always)
    func matches(_ record: Record) -> Bool {
        var test = tests
        while test != end {
            if !test.pointee.passes(record) { return false }
            test += 1
        }
        return !hasRest || rest.matches(record)
    }

    /// Throws where one of the records that were asked about has no computed value.
    func check() throws { try rest.check() }

    private static func flatten(_ condition: RowCondition, _ body: (RowCondition) -> Void) {
        if case .all(let operands) = condition {
            for operand in operands { flatten(operand, body) }
        } else if case .guarded(let guarding, let guarded) = condition {
            // What has an answer for every record is asked first, wherever it stands.
            flatten(guarding, body)
            body(guarded)
        } else {
            body(condition)
        }
    }

    private static func test(_ condition: RowCondition, _ layout: RecordLayout) -> Test? {
        guard case .compare(let column, let comparison, let value, _) = condition else {
            return nil
        }
        let field = layout.fields[column]
        switch value {
        case .integer(let value) where field.kind == .integer || field.kind == .boolean:
            guard let range = comparison.range(of: value) else { return nil }
            return Test(
                field,
                comparison,
                lower: UInt64(bitPattern: range.lowerBound),
                upper: UInt64(bitPattern: range.upperBound &- range.lowerBound)
            )
        case .real(let value) where field.kind == .real && value.isFinite:
            let range = comparison.range(of: value)
            return Test(
                field,
                comparison,
                lower: range.lowerBound.bitPattern,
                upper: range.upperBound.bitPattern
            )
        default: return nil
        }
    }
}

extension RecordPredicate.Test {
    @inline(__always)
    fileprivate func passes(_ record: Record) -> Bool {
        let base = record.base
        if base.load(fromByteOffset: nullByte, as: UInt8.self) & nullMask != 0 { return isNegated }
        let isInside: Bool
        switch kind {
        case .real:
            let value = base.loadUnaligned(fromByteOffset: offset, as: Double.self)
            isInside = value >= Double(bitPattern: lower) && value <= Double(bitPattern: upper)
        case .boolean:
            let value = base.load(fromByteOffset: offset, as: UInt8.self)
            isInside = UInt64(value) &- lower <= upper
        default:
            let value = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            isInside = value &- lower <= upper
        }
        return isInside != isNegated
    }
}

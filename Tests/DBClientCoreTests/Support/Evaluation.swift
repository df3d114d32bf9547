import DBClientCore
import Foundation

/// A second meaning of conditions and sorts, written as plainly as possible, to hold the library's
/// own against.
///
/// It works on Unicode scalars, whose order is that of the bytes of UTF-8.
enum Evaluation {
    /// Returns whether a row fulfils a condition; false where it has no answer.
    static func holds(_ condition: RowCondition, for row: [StorageValue]) -> Bool {
        (try? answer(condition, for: row)) ?? false
    }

    /// Returns whether a row fulfils a condition.
    ///
    /// - Throws: `NoValue` where a computed value has none.
    static func answer(_ condition: RowCondition, for row: [StorageValue]) throws -> Bool {
        switch condition {
        case .constant(let value): value
        case .not(let operand): try !answer(operand, for: row)
        case .all(let operands): try operands.allSatisfy { try answer($0, for: row) }
        case .any(let operands): try operands.contains { try answer($0, for: row) }
        case .guarded(let guarding, let guarded):
            try answer(guarding, for: row) ? try answer(guarded, for: row) : false
        case .computed(let left, let comparison, let right):
            try compares(value(of: left, for: row), comparison, value(of: right, for: row))
        case .isNil(let column): row[column].isNull
        case .field(let column, .isIn(let values)): values.contains { order(row[column], $0) == 0 }
        case .areIn(let columns, let keys):
            keys.contains { key in zip(columns, key).allSatisfy { order(row[$0], $1) == 0 } }
        case .related: preconditionFailure("The evaluation knows one entity alone.")
        case .compare(let column, let comparison, let value, let text):
            compares(row[column], comparison, value, text)
        case .compareFields(let column, let comparison, let other):
            compares(row[column], comparison, row[other])
        case .field(let column, .matches(let pattern)):
            row[column].text.map { matches($0, pattern) } ?? false
        case .field(let column, .elementCount(let comparison, let number)):
            compares(
                row[column].text.map { .integer(Int64(count(of: $0))) } ?? .null,
                comparison,
                .integer(Int64(number)),
                .binary
            )
        case .field(let column, .hasElement(let json)):
            row[column].text.map { elements(of: $0).contains(json.text ?? "") } ?? false
        }
    }

    /// Compares two values of a row, of which absent ones are equal.
    private static func compares(
        _ left: StorageValue,
        _ comparison: Comparison,
        _ right: StorageValue
    ) -> Bool {
        if right.isNull { return left.isNull ? comparison == .equal : comparison == .notEqual }
        return compares(left, comparison, right, .binary)
    }

    private static func compares(
        _ left: StorageValue,
        _ comparison: Comparison,
        _ right: StorageValue,
        _ text: TextOrder
    ) -> Bool {
        if left.isNull { return comparison == .notEqual }
        let order = order(left, right, text)
        switch comparison {
        case .equal: return order == 0
        case .notEqual: return order != 0
        case .less: return order < 0
        case .lessOrEqual: return order <= 0
        case .greater: return order > 0
        case .greaterOrEqual: return order >= 0
        }
    }

    /// The order of two values, nil first.
    static func order(
        _ left: StorageValue,
        _ right: StorageValue,
        _ text: TextOrder = .binary
    ) -> Int {
        func sign<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
            left < right ? -1 : left > right ? 1 : 0
        }
        func sign(_ left: [UInt32], _ right: [UInt32]) -> Int {
            left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
        }
        switch (left, right) {
        case (.null, .null): return 0
        case (.null, _): return -1
        case (_, .null): return 1
        case (.integer(let left), .integer(let right)): return sign(left, right)
        case (.real(let left), .real(let right)): return sign(left, right)
        case (.text(let left), .text(let right)):
            let folds = text == .caseInsensitive
            return sign(scalars(left, folds), scalars(right, folds))
        case (.data(let left), .data(let right)):
            return sign(left.map(UInt32.init), right.map(UInt32.init))
        default: preconditionFailure("The values are of different kinds.")
        }
    }

    /// The order of two rows.
    static func order(
        _ left: [StorageValue],
        _ right: [StorageValue],
        by orderings: [RowOrdering]
    ) -> Int {
        for ordering in orderings {
            let (first, second) = (left[ordering.column], right[ordering.column])
            if first.isNull && second.isNull { continue }
            if first.isNull || second.isNull { return first.isNull == ordering.nilsFirst ? -1 : 1 }
            let order = order(first, second, ordering.text)
            if order != 0 { return ordering.isDescending ? -order : order }
        }
        return 0
    }

    static func matches(_ text: String, _ pattern: TextPattern) -> Bool {
        let text = scalars(text, pattern.ignoresCase)
        let sought = scalars(pattern.text, pattern.ignoresCase)
        switch pattern.kind {
        case .prefix: return text.starts(with: sought)
        case .suffix: return text.reversed().starts(with: sought.reversed())
        case .contains:
            return text.indices.contains { text[$0...].starts(with: sought) } || sought.isEmpty
        case .wildcard: return matchesWildcard(text[...], sought[...])
        }
    }

    private static func matchesWildcard(
        _ text: ArraySlice<UInt32>,
        _ pattern: ArraySlice<UInt32>
    ) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        if first == 42 {
            return matchesWildcard(text, rest)
                || !text.isEmpty && matchesWildcard(text.dropFirst(), pattern)
        }
        guard let scalar = text.first, first == 63 || first == scalar else { return false }
        return matchesWildcard(text.dropFirst(), rest)
    }

    static func scalars(_ text: String, _ folds: Bool) -> [UInt32] {
        text.unicodeScalars.map { scalar in
            folds && ("A"..."Z").contains(scalar) ? scalar.value + 32 : scalar.value
        }
    }

    /// The elements of a JSON array of scalars, each as JSON text.
    private static func count(of json: String) -> Int {
        let value = try? JSONSerialization.jsonObject(with: Data(json.utf8))
        return (value as? [Any])?.count ?? (value as? [String: Any])?.count ?? -1
    }

    private static func elements(of json: String) -> [String] {
        guard let values = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [Any]
        else { return [] }
        return values.compactMap { value in
            (try? JSONSerialization.data(
                withJSONObject: value,
                options: [.fragmentsAllowed, .withoutEscapingSlashes]
            ))
            .map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

/// One row of a buffer, for a predicate.
struct BufferRow: SlotSource {
    let buffer: RowBuffer
    let index: Int

    func slot(_ column: Int) -> Slot {
        buffer.batch[index, column]
    }

    var values: [StorageValue] {
        buffer.columns.indices.map { StorageValue(slot($0)) }
    }
}

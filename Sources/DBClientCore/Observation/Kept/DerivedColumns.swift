/// What is computed from the fields of a row, as columns behind those of its entity: confined to the hub.
final class DerivedColumns {
    /// How many fields the entity has; the first computed column has this position.
    private let width: Int
    private let keys: [RowGrouping.Key]
    private let programs: [ExpressionProgram]
    /// The fields that they are computed from, ascending.
    let columns: [Int]
    private var slots: [Slot]

    /// Prepares those of some fields that are computed.
    init(_ fields: [RowGrouping.Key], of entity: EntitySchema) {
        width = entity.fields.count
        var keys: [RowGrouping.Key] = []
        var columns = Set<Int>()
        for field in fields where !keys.contains(field) {
            guard let expression = field.expression else { continue }
            keys.append(field)
            expression.insertColumns(into: &columns, of: entity)
        }
        self.keys = keys
        programs = keys.compactMap(\.expression).map { ExpressionProgram($0, of: entity) }
        self.columns = columns.sorted()
        slots = Array(repeating: .null, count: keys.count)
    }

    /// The position of a field among those of the entity and the computed ones.
    func position(of field: RowGrouping.Key) -> Int {
        keys.firstIndex(of: field).map { width + $0 } ?? field.column
    }

    /// Computes the values for a row.
    ///
    /// - Throws: `.invalidValue` where one has none.
    func compute(_ row: UnsafePointer<Slot>) throws(DBClientError) {
        for (index, program) in programs.enumerated() {
            slots[index] = try program.value(for: SlotRow(row))
        }
    }

    /// Returns a field of a row for which the values were computed last; they borrow from it, and are valid until the next.
    func slot(_ position: Int, of row: UnsafePointer<Slot>) -> Slot {
        position < width ? row[position] : slots[position - width]
    }
}

extension RowGrouping.Key {
    /// Whether it is a field of the row itself, or computed from such without a search, which takes figures of all rows.
    var isOfOwnFields: Bool {
        path.isEmpty && window == nil && !(expression?.searches ?? false)
    }

    /// Whether it is what a row gets from those that are like it, by fields of their own.
    var isOfOwnWindow: Bool { window?.keys.allSatisfy(\.isOfOwnFields) ?? false }
}

extension RowExpression {
    /// Whether a part of it is a search or a score.
    fileprivate var searches: Bool {
        switch self {
        case .field, .constant: false
        case .function(let function, _, let operands):
            function.isOfSearch || operands.contains(where: \.searches)
        case .firstPresent(let operands): operands.contains(where: \.searches)
        case .choice(_, let value, let other): value.searches || other.searches
        }
    }
}

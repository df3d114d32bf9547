import DBClientCore

/// A key or a term of groups as the statement returns it, with what every group's value is checked against.
struct GroupColumn {
    /// The type of a sum that comes in parts; nil for what comes as one value.
    let exactSum: FieldType?
    /// The entity whose rows are grouped.
    private let rows: EntitySchema
    /// The entity that has the field.
    private let entity: EntitySchema
    /// The field, of the rows or of what they hold; nil for a number of rows.
    private let field: FieldSchema?
    private let kind: Slot.Kind
    private let addsReals: Bool

    init(_ key: RowGrouping.Key, of rows: EntitySchema) {
        let field = key.field(of: rows)
        (self.rows, entity, self.field) = (rows, key.owner(rows), field)
        kind = field.type.slotKind
        (exactSum, addsReals) = (nil, false)
    }

    /// Creates the column of a term, of which a statement may do no more than count rows.
    init(
        _ term: RowGrouping.Term,
        of rows: EntitySchema,
        sumsAreChecked: Bool,
        isCount: Bool = false
    ) {
        self.rows = rows
        entity = term.operand?.owner(rows) ?? rows
        field = term.function == nil ? nil : term.operand?.field(of: rows)
        kind = term.function == .average ? .real : field?.type.slotKind ?? .integer
        exactSum =
            isCount ? nil : term.exactSumType(of: rows, besidesIntegers: sumsAreChecked)
        addsReals = term.addsReals(of: rows)
    }

    /// Returns a value of the kind that a group must have.
    @inline(__always)
    func checked(_ slot: Slot) throws -> Slot {
        guard let field else { return slot }
        if addsReals { return try SQLTransaction.realSum(slot, entity, field) }
        if slot.kind == kind || slot.isNull { return slot }
        return try SQLTransaction.checked(slot, kind, entity, field)
    }

    /// The error of a sum that no value of its type can be.
    var sumOutOfRange: DBClientError { .sumOutOfRange(rows, field) }
}

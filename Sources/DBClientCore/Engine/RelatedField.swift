/// A key of a sort that is no field of the rows: what an engine that looks at rows one by one sorts by.
///
/// It is a field of what the rows lead to, looked up once for each row there, or is computed; a score of a search is
/// computed from figures of all rows, which are read when the first key is asked for.
public final class RelatedField {
    private let source: Source

    private enum Source {
        case related(LookedUpField)
        /// With what keeps the bytes of the keys.
        case computed(ExpressionProgram, RowBuffer)
        case ranked(RankedField)
    }

    /// Prepares a key of a sort of an entity's rows; nil for one that is a field of the rows.
    public init?(_ ordering: RowOrdering, of entity: EntitySchema, in reader: some EngineReader) {
        if let expression = ordering.expression, expression.isRank {
            source = .ranked(RankedField(expression, of: entity, in: reader))
        } else if let field = LookedUpField(ordering.path[...], ordering, reader) {
            source = .related(field)
        } else if let expression = ordering.expression {
            let bytes = RowBuffer(entity, columns: [])
            source = .computed(ExpressionProgram(expression, of: entity), bytes)
        } else {
            return nil
        }
    }

    /// Returns the key of a row; it lives as long as this object.
    ///
    /// - Throws: What the reader throws; `.invalidValue` where a computed key has no value.
    public func slot(of row: some SlotSource) throws -> Slot {
        switch source {
        case .related(let field): try field.slot(of: row)
        case .computed(let program, let bytes): bytes.owned(try program.value(for: row))
        case .ranked(let field): try field.slot(of: row)
        }
    }
}

/// A field of the rows that rows lead to, or what is computed from fields there, looked up once for each key.
private final class LookedUpField {
    private let reader: any EngineReader
    private let hop: RelatedRows
    private let column: Int
    /// What is computed from the fields of the row at the end of the path; nil for a field, and before the end.
    private let program: ExpressionProgram?
    private let next: LookedUpField?
    private var keys: KeyTable
    /// The value for each key.
    private var values: [Slot] = []
    private let bytes: RowBuffer
    private let key: UnsafeMutablePointer<Slot>

    init?(
        _ path: ArraySlice<RelatedRows>,
        _ ordering: RowOrdering,
        _ reader: any EngineReader
    ) {
        guard let hop = path.first else { return nil }
        self.reader = reader
        self.hop = hop
        column = ordering.column
        next = LookedUpField(path.dropFirst(), ordering, reader)
        program =
            next == nil ? ordering.expression.map { ExpressionProgram($0, of: hop.entity) } : nil
        keys = KeyTable(hop.entity)
        bytes = RowBuffer(hop.entity, columns: [])
        key = .allocate(capacity: hop.matching.count)
        key.initialize(repeating: .null, count: hop.matching.count)
    }

    deinit {
        key.deallocate()
    }

    /// Returns the value where the path leads nowhere; it lives as long as this object.
    private func absent() throws -> Slot {
        if let next { return try next.absent() }
        return try program.map { bytes.owned(try $0.value(for: AbsentRow())) } ?? .null
    }

    /// Returns the value for the row that a row leads to; it lives as long as this object.
    func slot(of row: some SlotSource) throws -> Slot {
        for (index, column) in hop.matching.enumerated() {
            key[index] = row.slot(column)
            if key[index].isNull { return try absent() }
        }
        let position = Int(keys.insert(key))
        if position < values.count { return values[position] }
        var value: Slot?
        let batch = RowBatch(
            slots: key,
            columnCount: hop.matching.count,
            count: 1,
            entity: hop.entity
        )
        try reader.get(hop.entity, keys: batch) { _, found in
            let row = BatchRow(batch: found, row: 0)
            value =
                try next?.slot(of: row)
                ?? bytes.owned(try program?.value(for: row) ?? row.slot(column))
        }
        let known = try value ?? absent()
        values.append(known)
        return known
    }
}

/// One row of a batch, for predicates and programs that read fields one by one.
struct BatchRow: SlotSource {
    let batch: RowBatch
    let row: Int

    func slot(_ column: Int) -> Slot { batch[row, column] }
}

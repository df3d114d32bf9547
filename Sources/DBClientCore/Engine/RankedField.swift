/// The score of rows in a search, with the figures of all rows of their entity, read once.
final class RankedField {
    private let expression: RowExpression
    private let entity: EntitySchema
    private let reader: any EngineReader
    private var program: ExpressionProgram?

    init(_ expression: RowExpression, of entity: EntitySchema, in reader: any EngineReader) {
        self.expression = expression
        self.entity = entity
        self.reader = reader
    }

    /// Returns the score of a row.
    func slot(of row: some SlotSource) throws -> Slot {
        if let program { return try program.value(for: row) }
        let expression = try reader.expression(withFiguresFor: expression, of: entity)
        let program = ExpressionProgram(expression, of: entity)
        self.program = program
        return try program.value(for: row)
    }
}

extension EngineReader {
    /// Returns a score with the figures of all rows of an entity.
    ///
    /// - Throws: `.invalidRequest` for the rows of a join, and for what is not searched as it is stored.
    func expression(
        withFiguresFor rank: RowExpression,
        of entity: EntitySchema
    ) throws -> RowExpression {
        guard let (search, fields) = rank.rankedSearch else { return rank }
        var plan = search
        if plan.figures != nil { return rank }
        let columns = fields.compactMap { field -> Int? in
            if case .field(let column) = field { column } else { nil }
        }
        guard columns.count == fields.count else { throw DBClientError.rankMisplaced }
        if let indexed = try rankFromIndex(rank, of: entity) { return indexed }
        let program = SearchProgram(plan)
        var figures = SearchFigures(terms: program.scoredTerms.count)
        try select(columns, of: RowQuery(entity)) { batch in
            for row in 0..<batch.count {
                let texts = columns.indices.map { batch[row, $0] }
                program.add(program.find(in: texts), to: &figures)
            }
            return true
        }
        plan.figures = figures
        return try .rank(plan, in: fields)
    }
}

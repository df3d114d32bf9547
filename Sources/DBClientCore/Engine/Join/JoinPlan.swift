/// How the rows of a join are found by an engine that has rows of single entities alone.
///
/// The rows of the first part are visited one after the other; those of the others are loaded before, as far as their own
/// fields tell that they are wanted, and found by hashes of the fields that must be equal, or tried one by one where there
/// are none. Where the first part has few rows, the others are loaded by what these refer to, through keys and indexes.
///
/// So much of the others is loaded at once as ``JoinMemory`` lets; where that is not all, it is loaded once for so many
/// rows of the first part as take a part of the memory, as far as these refer to it, and what is still too much is read
/// anew for each row before.
///
/// The rows come in the order of the first part's, then of the second's, and so on, so a sort by fields of the first part
/// is the engine's own; other sorts keep the rows, of which no more than twice as many as a limit asks for. Where these do not fit
/// into memory, the join runs once for the first of the order, once for the next, and so on.
struct JoinPlan {
    let join: RowJoin
    let query: RowQuery
    let reader: any EngineReader
    let memory: JoinMemory
    /// What each part's rows must fulfil by themselves, on their own fields.
    let filters: [RowCondition]
    /// How each part but the first is found.
    let steps: [JoinConditions.Step]
    /// What is left to be asked of whole rows, since it may have no answer.
    private let last: [RowCondition]

    init(
        _ join: RowJoin,
        _ query: RowQuery,
        _ reader: any EngineReader,
        _ memory: JoinMemory = JoinMemory()
    ) {
        self.memory = memory
        self.join = join
        self.query = query
        self.reader = reader
        let conditions = JoinConditions(join, query)
        filters = conditions.filters
        steps = conditions.steps
        last = conditions.last
    }

    /// Whether rows of two models belong together by equal fields alone, beside what each fulfils by itself.
    var isOfEqualFieldsAlone: Bool {
        steps.count == 2 && !steps[1].equalities.isEmpty && last.isEmpty
            && steps.allSatisfy { $0.match.isEmpty && $0.filter.isEmpty }
    }

    /// Visits some fields of the joined rows in the query's order.
    func select(_ columns: [Int], _ visit: (RowBatch) throws -> Bool) throws {
        try withoutActuallyEscaping(visit) { try run(columns, $0) }
    }

    private func run(_ columns: [Int], _ visit: @escaping (RowBatch) throws -> Bool) throws {
        let order = query.totalOrder
        let first = join.parts[0]
        let isFirst = query.orderings.allSatisfy { $0.isOwnField && first.columns ~= $0.column }
        let residual = RowPredicate(.all(last), of: query.entity)
        let related = order.map { isFirst ? nil : RelatedField($0, of: query.entity, in: reader) }
        let sort =
            isFirst
            ? nil : JoinSort(columns, query, residual, order, related, in: memory, visit)
        let output: any JoinOutput = sort ?? JoinStream(columns, query, residual, visit)
        var needed = Set(columns).union(residual.columns)
        for ordering in order {
            if let hop = ordering.path.first {
                needed.formUnion(hop.matching)
            } else if let expression = ordering.expression {
                expression.insertColumns(into: &needed, of: query.entity)
            } else {
                needed.insert(ordering.column)
            }
        }
        try withExtendedLifetime(related) {
            repeat {
                try JoinRun(self, needed, output).run(isShort: isFirst && query.limit != nil)
                try output.finish()
            } while sort?.needsAnotherRun ?? false
        }
        try residual.check()
    }
}

extension JoinPlan: CustomStringConvertible {
    /// How the join visits its entities, a line each, as `explain` prints it.
    var description: String {
        let entity = query.entity
        var lines = ["visit \(join.parts[0].entity.name)"]
        for (part, step) in zip(join.parts, steps).dropFirst() {
            let names = step.equalities.map {
                "\(entity.fields[$0.own].name) = \(entity.fields[$0.before].name)"
            }
            let kind = part.isOptional ? "left join" : "join"
            let way =
                names.isEmpty
                ? "by trying every row" : "by \(names.joined(separator: " and "))"
            lines.append("\(kind) \(part.entity.name) \(way)")
        }
        return lines.joined(separator: "\n")
    }
}

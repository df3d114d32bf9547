/// The rows of one entity that something is kept of.
struct FoldInput {
    let entity: EntitySchema
    let name: EntityName
    /// What a row must fulfil by its own fields to count.
    let predicate: RowPredicate

    init(_ entity: EntitySchema, where condition: RowCondition) {
        self.entity = entity
        name = entity.exactName
        predicate = RowPredicate(condition, of: entity)
    }

    /// Returns what a query's rows are made of, one for each part of a join, and one for each entity whose rows must
    /// belong to those of the query; none where rows of other models decide, so
    /// that the rows of a commit do not tell what changed.
    static func inputs(of query: RowQuery) -> [FoldInput] {
        if let join = query.join {
            guard Upkeep(query).isKept else { return [] }
            let conditions = JoinConditions(join, query)
            return zip(join.parts, conditions.filters).map { FoldInput($0.entity, where: $1) }
        }
        if let conditions = MatchConditions(query) {
            return [FoldInput(query.entity, where: conditions.own)]
                + conditions.matches.map { FoldInput($0.rows.entity, where: $0.rows.condition) }
        }
        return query.isDecidedByOwnRows ? [FoldInput(query.entity, where: query.condition)] : []
    }

    /// Whether a row of a log fulfils the condition.
    func concerns(_ entry: RowLog.Entry, of log: RowLog) -> Bool {
        log.matches(entry.before, predicate) || log.matches(entry.after, predicate)
    }
}

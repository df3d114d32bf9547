import DBClientCore

/// How the shard key of rows follows from a request, so that a server which spreads them by it asks one shard.
///
/// It rests on what every write keeps: a row has the shard key of what it refers to.
enum ShardRoute {
    /// Returns the values that some fields, which are equal unless they are null, have in rows that fulfil a condition;
    /// nil where it does not say.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - fields: The positions of the fields.
    ///   - entity: The entity of the rows, through whose relationships the condition may say it; nil to follow none.
    /// - Returns: The values, or more than those.
    static func values(
        of condition: RowCondition,
        in fields: [Int],
        following entity: EntitySchema? = nil
    ) -> Set<StorageValue>? {
        switch condition {
        case .compare(let field, .equal, let value, .binary):
            return fields.contains(field) ? [value] : nil
        case .field(let field, .isIn(let values)):
            return fields.contains(field) ? Set(values) : nil
        case .areIn(let columns, let keys):
            guard let place = columns.firstIndex(where: fields.contains) else { return nil }
            return Set(keys.map { $0[place] })
        case .all(let operands):
            return operands.compactMap { values(of: $0, in: fields, following: entity) }
                .min { $0.count < $1.count }
        case .any(let operands):
            var union: Set<StorageValue> = []
            for operand in operands {
                guard let values = values(of: operand, in: fields, following: entity) else {
                    return nil
                }
                union.formUnion(values)
            }
            return union
        case .guarded(let first, let second):
            return values(of: first, in: fields, following: entity)
                ?? values(of: second, in: fields, following: entity)
        case .related(let rows):
            guard let entity, rows.count == nil, rows.total == nil, rows.slice == nil,
                rows.isKeptTogether(with: entity)
            else { return nil }
            return values(
                of: rows.condition,
                in: rows.entity.shardColumns,
                following: rows.entity
            )
        default: return nil
        }
    }

    /// Returns the entities of a query that have a shard key which it does not say, each once.
    static func entitiesOfEveryShard(_ query: RowQuery) -> [EntitySchema] {
        if let walk = query.walk { return walk.entity.shardKey == nil ? [] : [walk.entity] }
        var found: [EntitySchema] = []
        if let join = query.join {
            let known = join.partsOfKnownShards(query.condition)
            for (index, part) in join.parts.enumerated()
            where part.entity.shardKey != nil && !known.contains(index) {
                found.append(part.entity)
            }
        } else if query.entity.shardKey != nil,
            values(of: query.condition, in: query.entity.shardColumns, following: query.entity)
                == nil
        {
            found.append(query.entity)
        }
        for (rows, outer) in query.condition.relatedRows(of: query.entity)
        where rows.entity.shardKey != nil && !rows.isKeptTogether(with: outer) {
            let fields = rows.entity.shardColumns
            if values(of: rows.condition, in: fields, following: rows.entity) == nil {
                found.append(rows.entity)
            }
        }
        // What rows are sorted by is looked up for each, by a plan that all shards are a part of unless it says which.
        found += query.namingShards().orderings.flatMap(\.path)
            .filter { $0.entity.shardKey != nil && $0.condition.isTrue }.map(\.entity)
        var seen = Set<EntitySchema>()
        return found.filter { seen.insert($0).inserted }
    }
}

extension RowQuery {
    /// Whether rows of a shard key are asked for.
    var isSharded: Bool {
        entity.shardKey != nil || join?.parts.contains { $0.entity.shardKey != nil } ?? false
    }

    /// Returns the query with the shard key wherever that is known, in conditions and in joins.
    func namingShards() -> RowQuery {
        var query = self
        query.condition = condition.namingShards(of: entity)
        if orderings.contains(where: { !$0.path.isEmpty }) {
            let known = ShardRoute.values(
                of: condition,
                in: entity.shardColumns,
                following: entity
            )
            query.orderings = orderings.map { ordering in
                var ordering = ordering
                ordering.path = ordering.path.namingShards(of: entity, known: known)
                return ordering
            }
        }
        if let join { query.join = join.namingShards() }
        return query
    }
}

extension [RelatedRows] {
    /// Returns a path from rows of an entity with the shard keys of its hops.
    ///
    /// Where the rows are known to be on one shard, so are those that they lead to, and their condition says it: the
    /// planner of the server in front does not see it through the subquery.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - known: The values of the shard key of the rows; nil where they are not known.
    /// - Returns: The path.
    func namingShards(of entity: EntitySchema, known: Set<StorageValue>? = nil) -> [RelatedRows] {
        var outer = entity
        var value = known?.count == 1 ? known?.first : nil
        if value == .null { value = nil }
        return map { rows in
            defer { outer = rows.entity }
            if !rows.isKeptTogether(with: outer) { value = nil }
            var rows = rows.namingShards(of: outer)
            if let value, let shardKey = rows.entity.shardKey {
                rows.condition = .isShard(shardKey, in: [value])
            }
            return rows
        }
    }
}

extension RelatedRows {
    /// Whether the rows have the shard key of those of another entity that lead to them.
    fileprivate func isKeptTogether(with outer: EntitySchema) -> Bool {
        if slice != nil || entity.shardKey == nil || outer.shardKey == nil { return false }
        let (inner, outer) = (entity.shardColumns, outer.shardColumns)
        return zip(columns, matching).contains { inner.contains($0) && outer.contains($1) }
    }

    /// Returns the rows with the shard key among what is matched, where it is the same on both sides.
    ///
    /// - Parameters:
    ///   - outer: The entity of the rows that lead to them.
    ///   - known: The values of the shard key of those rows; nil where they are not known.
    /// - Returns: The same related rows.
    fileprivate func namingShards(
        of outer: EntitySchema,
        known: Set<StorageValue>? = nil
    ) -> RelatedRows {
        var rows = self
        if isKeptTogether(with: outer), let inner = entity.shardKey, let own = outer.shardKey,
            !zip(columns, matching).contains(where: { $0 == inner && $1 == own })
        {
            rows = RelatedRows(
                entity,
                columns + [inner],
                matching: matching + [own],
                where: condition,
                count: count,
                total: total
            )
        }
        rows.condition = condition.namingShards(of: entity)
        // What is counted or added up is looked for from each row, when all shards are a part of the plan already.
        if count != nil || total != nil, isKeptTogether(with: outer), let known,
            let inner = entity.shardKey
        {
            rows.condition = .conjunction(.isShard(inner, in: known), rows.condition)
        }
        return rows
    }
}

extension RowCondition {
    /// Returns the condition with the shard key of its rows where it follows from what is asked, and of what they lead to.
    fileprivate func namingShards(of entity: EntitySchema) -> RowCondition {
        let values = entity.shardKey.flatMap { _ in
            ShardRoute.values(of: self, in: entity.shardColumns, following: entity)
        }
        let named = reachesRelatedRows ? namingRelatedShards(of: entity, known: values) : self
        guard let shardKey = entity.shardKey, let values, !values.isEmpty,
            ShardRoute.values(of: self, in: [shardKey]) == nil
        else { return named }
        return .conjunction(.isShard(shardKey, in: values), named)
    }

    private func namingRelatedShards(
        of entity: EntitySchema,
        known: Set<StorageValue>?
    ) -> RowCondition {
        func named(_ condition: RowCondition) -> RowCondition {
            condition.namingRelatedShards(of: entity, known: known)
        }
        return switch self {
        case .related(let rows): .related(rows.namingShards(of: entity, known: known))
        case .not(let operand): .not(named(operand))
        case .all(let operands): .all(operands.map(named))
        case .any(let operands): .any(operands.map(named))
        case .guarded(let first, let second): .guarded(named(first), named(second))
        default: self
        }
    }

    /// The shard key is one of some values, none of which is null.
    fileprivate static func isShard(_ field: Int, in values: Set<StorageValue>) -> RowCondition {
        if values.count == 1, let value = values.first {
            return .compare(column: field, .equal, value, .binary)
        }
        return .isIn(column: field, Array(values))
    }

    /// Returns the related rows that the condition is about, each with the entity of the rows that lead to them.
    fileprivate func relatedRows(
        of entity: EntitySchema
    ) -> [(rows: RelatedRows, outer: EntitySchema)] {
        switch self {
        case .related(let rows): [(rows, entity)] + rows.condition.relatedRows(of: rows.entity)
        case .not(let operand): operand.relatedRows(of: entity)
        case .all(let operands), .any(let operands):
            operands.flatMap { $0.relatedRows(of: entity) }
        case .guarded(let first, let second):
            first.relatedRows(of: entity) + second.relatedRows(of: entity)
        default: []
        }
    }
}

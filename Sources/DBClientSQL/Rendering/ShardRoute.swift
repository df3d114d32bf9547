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
        let paths = query.orderings.flatMap(\.path)
        for rows in query.condition.relatedRows(of: query.entity) + paths.map({ ($0, nil) }) {
            let (related, outer) = rows
            guard related.entity.shardKey != nil, !(outer.map(related.isKeptTogether) ?? true),
                values(
                    of: related.condition,
                    in: related.entity.shardColumns,
                    following: related.entity
                ) == nil
            else { continue }
            found.append(related.entity)
        }
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
        query.orderings = orderings.map { ordering in
            if ordering.path.isEmpty { return ordering }
            var ordering = ordering
            ordering.path = ordering.path.namingShards(of: entity)
            return ordering
        }
        if let join { query.join = join.namingShards() }
        return query
    }
}

extension [RelatedRows] {
    /// Returns a path from rows of an entity with the shard keys of its hops.
    func namingShards(of entity: EntitySchema) -> [RelatedRows] {
        var outer = entity
        return map { rows in
            defer { outer = rows.entity }
            return rows.namingShards(of: outer)
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
    fileprivate func namingShards(of outer: EntitySchema) -> RelatedRows {
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
        return rows
    }
}

extension RowCondition {
    /// Returns the condition with the shard key of its rows where it follows from what is asked, and of what they lead to.
    fileprivate func namingShards(of entity: EntitySchema) -> RowCondition {
        let named = reachesRelatedRows ? namingRelatedShards(of: entity) : self
        guard let shardKey = entity.shardKey,
            ShardRoute.values(of: self, in: [shardKey]) == nil,
            let values = ShardRoute.values(of: self, in: entity.shardColumns, following: entity),
            let value = values.first
        else { return named }
        let isKnown: RowCondition =
            values.count == 1
            ? .compare(column: shardKey, .equal, value, .binary)
            : .isIn(column: shardKey, Array(values))
        return .conjunction(isKnown, named)
    }

    private func namingRelatedShards(of entity: EntitySchema) -> RowCondition {
        switch self {
        case .related(let rows): .related(rows.namingShards(of: entity))
        case .not(let operand): .not(operand.namingRelatedShards(of: entity))
        case .all(let operands): .all(operands.map { $0.namingRelatedShards(of: entity) })
        case .any(let operands): .any(operands.map { $0.namingRelatedShards(of: entity) })
        case .guarded(let first, let second):
            .guarded(
                first.namingRelatedShards(of: entity),
                second.namingRelatedShards(of: entity)
            )
        default: self
        }
    }

    /// Returns the related rows that the condition is about, each with the entity of the rows that lead to them.
    fileprivate func relatedRows(
        of entity: EntitySchema
    ) -> [(rows: RelatedRows, outer: EntitySchema?)] {
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

extension RowJoin {
    /// Returns the join with the shard keys of parts that have the same.
    fileprivate func namingShards() -> RowJoin {
        var join = self
        for (index, part) in parts.enumerated() {
            guard let own = part.entity.shardKey else { continue }
            for other in partsOfSameShard(as: index) {
                guard let key = parts[other].entity.shardKey else { continue }
                let (left, right) = (part.offset + own, parts[other].offset + key)
                let equality = RowCondition.compareFields(column: left, .equal, to: right)
                let opposite = RowCondition.compareFields(column: right, .equal, to: left)
                let known = part.condition.conjuncts
                if known.contains(equality) || known.contains(opposite) { continue }
                join.parts[index].condition = .conjunction(join.parts[index].condition, equality)
            }
        }
        return join
    }

    /// Returns the parts before one whose rows have the shard key of the rows that are joined to them.
    private func partsOfSameShard(as index: Int) -> [Int] {
        func shardColumns(_ part: Part) -> [Int] {
            part.entity.shardColumns.map { $0 + part.offset }
        }
        func mayBeNil(_ column: Int) -> Bool {
            let part = parts[self.part(of: column)]
            return part.isOptional && part != parts[index]
                || part.entity.fields[column - part.offset].isOptional
        }
        let own = shardColumns(parts[index])
        return (0..<index).filter { other in
            let others = shardColumns(parts[other])
            return parts[index].condition.conjuncts.contains { condition in
                guard case .compareFields(let left, .equal, let right) = condition else {
                    return false
                }
                let matches =
                    own.contains(left) && others.contains(right)
                    || own.contains(right) && others.contains(left)
                // Two that are absent are equal as well.
                return matches && !(mayBeNil(left) && mayBeNil(right))
            }
        }
    }

    /// Returns the parts whose shard key a condition on joined rows says, itself or by what they are joined to.
    fileprivate func partsOfKnownShards(_ condition: RowCondition) -> Set<Int> {
        var known = Set(
            parts.indices.filter { index in
                let part = parts[index]
                let fields = part.entity.shardColumns.map { $0 + part.offset }
                return ShardRoute.values(of: condition, in: fields) != nil
                    || ShardRoute.values(of: part.condition, in: fields) != nil
            }
        )
        for index in parts.indices {
            let same = partsOfSameShard(as: index)
            if same.contains(where: known.contains) { known.insert(index) }
            // What is left out where nothing is joined to it has the shard key of what is.
            if known.contains(index), !parts[index].isOptional { known.formUnion(same) }
        }
        return known
    }
}

extension RowCondition {
    /// The conditions that must all hold.
    fileprivate var conjuncts: [RowCondition] {
        if case .all(let operands) = self { return operands.flatMap(\.conjuncts) }
        return [self]
    }
}

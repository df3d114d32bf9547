import Synchronization

/// What joined rows are put together from: a request, and another one whose rows belong to those of the first.
final class DynamicJoin: Sendable {
    /// An entity of the rows.
    struct Part: Hashable {
        let entity: EntitySchema
        /// Whether the fields are nil where none of its rows belongs to the others.
        let isOptional: Bool
    }

    /// The entity of the rows that are put together.
    let entity: EntitySchema
    /// The entities that they are put together from.
    let parts: [Part]
    private let base: DynamicRequest
    private let other: DynamicRequest
    private let isOptional: Bool
    private let condition: DynamicCondition

    init(
        _ base: DynamicRequest,
        _ other: DynamicRequest,
        isOptional: Bool,
        on condition: DynamicCondition
    ) {
        self.base = base
        self.other = other
        self.isOptional = isOptional
        self.condition = condition
        parts = base.parts + [Part(entity: other.entity, isOptional: isOptional)]
        entity = JoinedEntities.entity(of: parts)
    }

    /// Returns the joined rows, in the order of the first request.
    func query() throws -> RowQuery {
        let base = try base.rowQuery()
        let other = try other.rowQuery()
        for part in [base, other] where part.limit != nil || part.offset > 0 {
            throw DBClientError(
                .invalidRequest,
                "A request that is joined must have no limit and no offset.",
                entity: part.entity.name,
                hint: "Limit the joined rows."
            )
        }
        if other.join != nil {
            throw DBClientError(
                .unsupported,
                "What is joined must be the rows of one entity.",
                entity: other.entity.name,
                hint: "Join the entities one after the other."
            )
        }
        let offset = base.entity.fields.count
        var query = RowQuery(entity, where: base.condition, orderings: base.orderings)
        let part = RowJoin.Part(
            other.entity,
            at: offset,
            isOptional: isOptional,
            where: .conjunction(
                other.condition.placed { $0 + offset },
                try condition.row(of: entity)
            )
        )
        query.join = RowJoin((base.join?.parts ?? [RowJoin.Part(base.entity, at: 0)]) + [part])
        return query
    }
}

extension DynamicJoin: Hashable {
    static func == (left: DynamicJoin, right: DynamicJoin) -> Bool {
        left.base == right.base && left.other == right.other
            && left.isOptional == right.isOptional && left.condition == right.condition
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(base)
        hasher.combine(other)
        hasher.combine(isOptional)
        hasher.combine(condition)
    }
}

/// The entities of joined rows, one for the same parts, since engines tell entities by their identity.
private enum JoinedEntities {
    private static let entities = Mutex<[[DynamicJoin.Part]: EntitySchema]>([:])

    /// A program that makes up entities without end, as a tool does that reads the schema each time, must not fill the
    /// memory.
    private static let limit = 1_024

    static func entity(of parts: [DynamicJoin.Part]) -> EntitySchema {
        entities.withLock { entities in
            if let known = entities[parts] { return known }
            let made = EntitySchema(joining: parts.map { ($0.entity, $0.isOptional) })
            if entities.count >= limit { entities.removeAll() }
            entities[parts] = made
            return made
        }
    }
}

extension FetchRequest {
    /// A request for joined rows: those of a request, which may be joined already, with those of another added, whose own
    /// condition is its part's.
    init<Before: StoredConvertible, Other: StoredConvertible>(
        joining before: FetchRequest<Before>,
        _ other: FetchRequest<Other>,
        isOptional: Bool
    ) {
        var query = RowQuery(Model.Storage.schema.entity)
        query.condition = before.query.condition
        query.orderings = before.query.orderings
        let first = before.query.entity
        let offset = first.fields.count
        let part = RowJoin.Part(other.query.entity, at: offset, isOptional: isOptional)
        query.join = RowJoin((before.query.join?.parts ?? [RowJoin.Part(first, at: 0)]) + [part])
        self.init(query)
        joinLast(on: other.query.condition.placed { $0 + offset })
        note(before.failureOfJoining)
        note(other.failureOfJoining)
        if Other.self is any JoinedRows.Type {
            note(
                DBClientError(
                    .unsupported,
                    "What is joined must be the values of one model; got joined rows.",
                    entity: Other.storedEntity.name,
                    hint: "Join the models one after the other."
                )
            )
        }
        let models: [any StoredConvertible.Type] = [Before.self, Other.self]
        if let model = models.first(where: { $0 is any EngineConvertible.Type }) {
            note(
                DBClientError(
                    .unsupported,
                    "A model with shapes of several engines must not be joined.",
                    entity: model.storedEntity.name
                )
            )
        }
    }

    /// Adds a condition to what the last of the joined models must fulfil to belong to the rows.
    mutating func join(on condition: Condition<Model>) {
        note(condition.failure)
        joinLast(on: condition.row)
    }

    /// Adds a condition to the last part, or to the rows where that is the same: what goes through relationships, and what
    /// may have no answer, which is asked last.
    private mutating func joinLast(on condition: RowCondition) {
        guard var join = query.join, var part = join.parts.popLast() else { return }
        var rest: [RowCondition] = []
        for operand in condition.operands {
            if !part.isOptional, operand.canFail || operand.reachesRelatedRows {
                rest.append(operand)
            } else {
                part.condition =
                    operand.canFail || part.condition.canFail
                    ? .guardedConjunction(part.condition, operand)
                    : .conjunction(part.condition, operand)
            }
        }
        join.parts.append(part)
        setJoin(join, where: rest)
        if part.condition.reachesRelatedRows {
            note(
                DBClientError(
                    .unsupported,
                    "What belongs together in a left join must be told by fields of the joined models themselves.",
                    entity: query.entity.name,
                    hint: "Join the related model as well."
                )
            )
        }
        if [part.condition, query.condition].contains(where: {
            $0.isNested(deeperThan: RowCondition.maximumNesting)
        }) {
            note(RowCondition.nestedTooDeep(query.entity))
        }
    }

    /// Why the request cannot be a part of a join.
    fileprivate var failureOfJoining: DBClientError? {
        if let failure { return failure }
        if query.hasLimits { return Self.limitBefore(query.entity) }
        return nil
    }

    private static func limitBefore(_ entity: EntitySchema) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "A request that is joined must have no limit and no offset.",
            entity: entity.name,
            hint: "Limit the joined rows, or join `asSource()` of the request."
        )
    }
}

extension RowQuery {
    fileprivate var hasLimits: Bool { limit != nil || offset > 0 }
}

/// The fields of a model's `Storage` in another stored shape of it, found by their stored names.
///
/// Requests name the fields of `Storage`; the shape of one engine may have others beside them.
struct FieldMapping<Model: StoredConvertible, Shape: Stored> {
    private var source: EntitySchema { Model.Storage.schema.entity }
    private var target: EntitySchema { Shape.schema.entity }

    /// Returns the position of a field in the shape.
    func column(_ column: Int) throws -> Int {
        if source === target { return column }
        let field = source.fields[column]
        guard let found = target.position(of: field.name) else {
            throw DBClientError(
                .invalidRequest,
                "The field must be part of the shape in which this engine stores the model.",
                entity: target.name,
                field: field.name
            )
        }
        guard target.fields[found].type.isComparable(with: field.type) else {
            throw DBClientError(
                .invalidRequest,
                "The field must have a comparable type in the shape in which this engine stores the model.",
                entity: target.name,
                field: field.name
            )
        }
        return found
    }

    /// Returns the same sort key of the shape.
    func ordering(_ ordering: RowOrdering) throws -> RowOrdering {
        source === target ? ordering : try ordering.mapped(from: source, to: target, column)
    }

    /// Returns the same field of the shape, or of what it holds.
    func place(_ place: RowGrouping.Key) throws -> RowGrouping.Key {
        if let window = place.window { return .init(try window.mapped { try self.place($0) }) }
        if let expression = place.expression {
            guard source !== target else { return place }
            if place.path.isEmpty {
                return .init(try expression.mapped(from: source, to: target, column))
            }
            let path = try ordering(RowOrdering(column: 0, path: place.path)).path
            return .init(expression, through: path)
        }
        let ordering = try ordering(RowOrdering(column: place.column, path: place.path))
        return RowGrouping.Key(ordering.column, through: ordering.path)
    }

    /// Returns an aggregate over a group of the shape.
    func term(_ term: RowGrouping.Term) throws -> RowGrouping.Term {
        try term.operand.map { term.over(try place($0)) } ?? term
    }

    /// Returns the same request for the shape.
    func request(_ request: FetchRequest<Model>) throws -> FetchRequest<Shape> {
        if source === target { return FetchRequest(anyOf: request) }
        return FetchRequest(try request.rowQuery().mapped(to: target, column))
    }

    /// Returns the values of the sort keys of a request in a value that was just read.
    func place(
        of shape: Shape,
        in request: FetchRequest<Model>,
        _ transaction: ReadTransaction
    ) throws -> [StorageValue] {
        let row = try Shape.row(of: shape)
        return try withExtendedLifetime(row) {
            try request.rowQuery().totalOrder.map { ordering in
                if ordering.isOwnField {
                    return StorageValue(row.batch[0, try column(ordering.column)])
                }
                let mapped = try ordering.mapped(from: source, to: target, column)
                let field = RelatedField(mapped, of: target, in: try transaction.reader())
                defer { withExtendedLifetime(field) {} }
                return try field.map {
                    StorageValue(try $0.slot(of: BatchRow(batch: row.batch, row: 0)))
                } ?? .null
            }
        }
    }

    /// Makes assignments to the model assignments to the shape.
    func assign(
        _ assignments: inout Assignments<Shape>,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws {
        if source === target {
            var same = Assignments<Model>(assignments.buffer)
            return try assign(&same)
        }
        let buffer = try AssignmentBuffer(source)
        var given = Assignments<Model>(buffer)
        try assign(&given)
        if let assigned = try buffer.finish() {
            try withExtendedLifetime(buffer) {
                for position in assigned.columns {
                    try assignments.buffer.set(column(position)) {
                        try $0.put(copying: assigned.values[0, position])
                    }
                }
            }
        }
        for modification in buffer.modifications {
            let column = try column(modification.column)
            let change: FieldModification.Change =
                if case .expression(let expression) = modification.change {
                    .expression(
                        try expression.mapped(from: source, to: target, self.column)
                            .converted(to: target.fields[column].type, in: target)
                    )
                } else {
                    modification.change
                }
            try assignments.buffer.modify(.init(column: column, change: change))
        }
        for branch in buffer.relationships {
            let relationship = try branch.relationship.counterpart(in: target)
            assignments.buffer.set(branch.moved(to: relationship))
        }
    }
}

extension RowQuery {
    /// Returns the query over another entity, with other positions of its fields.
    func mapped(to entity: EntitySchema, _ column: (Int) throws -> Int) throws -> RowQuery {
        RowQuery(
            entity,
            where: try condition.mapped(from: self.entity, to: entity, column),
            orderings: try orderings.map { try $0.mapped(from: self.entity, to: entity, column) },
            limit: limit,
            offset: offset
        )
    }
}

extension RowOrdering {
    fileprivate func mapped(
        from source: EntitySchema,
        to target: EntitySchema,
        _ position: (Int) throws -> Int
    ) throws -> RowOrdering {
        var ordering = self
        if !path.isEmpty {
            ordering.path[0] = try path[0].mapped(from: source, to: target, position)
        } else if let expression {
            ordering.expression = try expression.mapped(from: source, to: target, position)
        } else {
            ordering.column = try position(column)
        }
        return ordering
    }
}

extension RowCondition {
    fileprivate func mapped(
        from source: EntitySchema,
        to target: EntitySchema,
        _ position: (Int) throws -> Int
    ) throws -> RowCondition {
        switch self {
        case .constant: self
        case .compare(let column, let comparison, let value, let text):
            .compare(column: try position(column), comparison, value, text)
        case .compareFields(let column, let comparison, let other):
            .compareFields(column: try position(column), comparison, to: try position(other))
        case .computed(let left, let comparison, let right):
            .computed(
                try left.mapped(from: source, to: target, position),
                comparison,
                try right.mapped(from: source, to: target, position)
            )
        case .guarded(let guarding, let guarded):
            .guarded(
                try guarding.mapped(from: source, to: target, position),
                try guarded.mapped(from: source, to: target, position)
            )
        case .isNil(let column): .isNil(column: try position(column))
        case .field(let column, let test): .field(column: try position(column), test)
        case .areIn(let columns, let keys):
            .areIn(columns: try columns.map(position), keys)
        case .related(let rows): .related(try rows.mapped(from: source, to: target, position))
        case .not(let condition):
            .not(try condition.mapped(from: source, to: target, position))
        case .all(let conditions):
            .all(try conditions.map { try $0.mapped(from: source, to: target, position) })
        case .any(let conditions):
            .any(try conditions.map { try $0.mapped(from: source, to: target, position) })
        }
    }
}

extension RowExpression {
    fileprivate func mapped(
        from source: EntitySchema,
        to target: EntitySchema,
        _ position: (Int) throws -> Int
    ) throws -> RowExpression {
        try mapped(position) { try $0.mapped(from: source, to: target, position) }
    }

    /// Returns the expression as a number of another type, which may leave its range.
    fileprivate func converted(to type: FieldType, in entity: EntitySchema) -> RowExpression {
        self.type(in: entity) == type ? self : .function(.convert, type, [self])
    }
}

extension RelationshipSchema {
    /// Returns the relationship of another shape of the model that has the same name.
    ///
    /// - Throws: `.invalidRequest` when there is none that leads to the same values.
    fileprivate func counterpart(in shape: EntitySchema) throws -> RelationshipSchema {
        let found = shape.relationships.first { other in
            StorageValue.text(other.name) == .text(name) && other.kind == kind
        }
        guard let found, found.target === target else {
            throw DBClientError(
                .invalidRequest,
                "The relationship must be part of the shape in which this engine stores the model.",
                entity: shape.name,
                field: name
            )
        }
        return found
    }
}

extension RelatedRows {
    /// Returns the same related rows of another entity: its own columns match, and the relationship is
    /// that of the same name.
    fileprivate func mapped(
        from source: EntitySchema,
        to target: EntitySchema,
        _ position: (Int) throws -> Int
    ) throws -> RelatedRows {
        if let slice, entity === source {
            var rows = RelatedRows(
                target,
                try columns.map(position),
                matching: try matching.map(position),
                where: try condition.mapped(from: source, to: target, position)
            )
            rows.slice = slice
            rows.slice?.orderings = try slice.orderings.map {
                try $0.mapped(from: source, to: target, position)
            }
            return rows
        }
        let held = source.relationships.first { relationship in
            relationship.link.map { $0.entity === entity }
                ?? (relationship.columns == matching && relationship.target === entity)
        }
        let counterpart = try held?.counterpart(in: target)
        return RelatedRows(
            counterpart?.link?.entity ?? entity,
            columns,
            matching: try matching.map(position),
            where: condition,
            count: count,
            total: total
        )
    }
}

/// What a join selects: a field of one of its models, what is computed from fields, or a model as a whole.
public protocol JoinTerm<Selected>: SelectionTerm {
    /// How it is selected and read.
    var joinSelection: JoinSelection<Selected> { get }
}

/// The fields that something in a row is made of, and how it is read from them.
public struct JoinSelection<Selected: Sendable>: Sendable {
    let fields: Result<[RowGrouping.Key], DBClientError>
    let read: @Sendable (inout ColumnDecoder, borrowing ColumnPlan) throws -> Selected
    /// The model that the fields belong to; a request for another model refuses the selection.
    let model: any StoredConvertible.Type

    init(
        of model: any StoredConvertible.Type,
        _ read: @escaping @Sendable (inout ColumnDecoder, borrowing ColumnPlan) throws -> Selected,
        of fields: () throws -> [RowGrouping.Key]
    ) {
        self.read = read
        self.model = model
        self.fields = Result { () throws(DBClientError) in
            do {
                return try fields()
            } catch {
                throw DBClientError.wrapping(error)
            }
        }
    }
}

extension Field: JoinTerm, SelectionTerm where Value: ColumnValue {
    /// The type of the field's value.
    public typealias Selected = Value

    /// The selection of the field, read as a value of its own type.
    public var joinSelection: JoinSelection<Value> { fieldExpression.joinSelection }
}

extension FieldExpression: JoinTerm, SelectionTerm where Value: ColumnValue {
    /// The type of what is computed.
    public typealias Selected = Value

    /// The selection of the computed value.
    public var joinSelection: JoinSelection<Value> {
        JoinSelection(of: Model.self) {
            try $0.next(Value.self, $1)
        } of: {
            [try selectedField(of: Model.self)]
        }
    }
}

extension JoinFields: JoinTerm, SelectionTerm {
    /// The model, or an optional of it.
    public typealias Selected = Source

    /// The selection of the model with all of its fields; nil where a left join has found none.
    public var joinSelection: JoinSelection<Source> {
        let part = part
        return JoinSelection(of: Rows.self) { row, _ in
            try JoinSource.value(row.take(part.entity.fields.count), part)
        } of: {
            try part.checkWhole()
            return part.columns.map { RowGrouping.Key($0) }
        }
    }
}

extension ColumnDecoder {
    /// Returns the slots of the next fields.
    mutating func take(_ count: Int) -> UnsafePointer<Slot> {
        defer { next += count }
        return next
    }
}

// What the closure returns tells `select` of several terms from `select` of one at every call site.
// swift-format-ignore: AmbiguousTrailingClosureOverload
extension JoinRequest {
    /// Returns a request for fields of the models, for what is computed from them, and for models as a whole, in the
    /// request's order, its limit and offset applied.
    ///
    /// ```swift
    /// lines.select { line, product in (line.id, product.name, line.price * line.quantity) }
    /// lines.select { line, product in (line, product.name) }
    /// ```
    public func select<each Term: JoinTerm>(
        _ terms: (Rows.Fields) -> (repeat each Term)
    ) -> SelectRequest<(repeat (each Term).Selected)> {
        let terms = Rows.make(terms).0
        var fields: [Result<[RowGrouping.Key], DBClientError>] = []
        for term in repeat each terms { fields.append(term.joinSelection.fields) }
        let plan = ColumnPlan(of: request) { try fields.flatMap { try $0.get() } }
        let selections = (repeat (each terms).joinSelection)
        let selected = SelectedFields<(repeat (each Term).Selected)>(plan) { slots, rows in
            guard var row = ColumnDecoder(slots) else { return }
            rows.append((repeat try (each selections).read(&row, plan)))
        }
        return SelectRequest(of: selected) { transaction, sieve, rows in
            try plan.run(transaction, keptBy: sieve) { batch in
                plan.makeRoom(for: batch, in: &rows)
                for index in 0..<batch.count {
                    var row = ColumnDecoder(batch, at: index)
                    rows.append((repeat try (each selections).read(&row, plan)))
                }
            }
        }
    }

    /// Returns a request for one field or model of the rows, or what is computed from fields.
    public func select<Term: JoinTerm>(
        _ term: (Rows.Fields) -> Term
    ) -> SelectRequest<Term.Selected> {
        let selection = Rows.make(term).0.joinSelection
        let plan = ColumnPlan(of: request) { try selection.fields.get() }
        let fields = SelectedFields<Term.Selected>(plan) { slots, rows in
            guard var row = ColumnDecoder(slots) else { return }
            rows.append(try selection.read(&row, plan))
        }
        return SelectRequest(of: fields) { transaction, sieve, rows in
            try plan.run(transaction, keptBy: sieve) { batch in
                plan.makeRoom(for: batch, in: &rows)
                for index in 0..<batch.count {
                    var row = ColumnDecoder(batch, at: index)
                    rows.append(try selection.read(&row, plan))
                }
            }
        }
    }

    /// The request for the models of each row as a whole.
    public var models: SelectRequest<Rows.Values> {
        let parts = Rows.parts
        let plan = ColumnPlan(of: request) {
            for part in parts { try part.checkWhole() }
            return request.query.entity.fields.indices.map { RowGrouping.Key($0) }
        }
        let fields = SelectedFields<Rows.Values>(plan) { slots, rows in
            guard let decoder = ColumnDecoder(slots) else { return }
            var row = JoinedValues(decoder, parts)
            rows.append(try Rows.values(&row))
        }
        return SelectRequest(of: fields) { transaction, sieve, rows in
            try plan.run(transaction, keptBy: sieve) { batch in
                plan.makeRoom(for: batch, in: &rows)
                for index in 0..<batch.count {
                    var row = JoinedValues(ColumnDecoder(batch, at: index), parts)
                    rows.append(try Rows.values(&row))
                }
            }
        }
    }
}

extension RowJoin.Part {
    /// Throws where the model cannot be read as a whole.
    fileprivate func checkWhole() throws {
        if entity.isFlat { return }
        throw DBClientError(
            .unsupported,
            "A model that holds values of others must not be selected as a whole of a join.",
            entity: entity.name,
            hint: "Select its fields, or its key and find the values by that."
        )
    }
}

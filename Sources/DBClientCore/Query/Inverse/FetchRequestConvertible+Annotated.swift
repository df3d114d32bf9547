// What the closure returns tells one number from several at every call site.
// swift-format-ignore: AmbiguousTrailingClosureOverload
extension FetchRequestConvertible {
    /// Returns a request for the values, each with numbers, sums, averages and extremes of the values that lead to it or that
    /// it holds.
    ///
    /// ```swift
    /// let albums = Album.all.annotated { ($0.tracks.count, $0.tracks.sum(\.seconds)) }
    /// for (album, tracks, seconds) in try await client.fetch(albums) { … }
    /// ```
    ///
    /// The closure names what conditions name: inverse properties, `inverse(of:)` and to-many relationships of the model, with
    /// `count`, `sum`, `average`, `min` and `max`. A number and a sum of no values are zero; the others are nil. The relational
    /// engines run one statement where an index finds the values that belong to one; others ask for groups of them.
    ///
    /// - Parameter totals: Returns what is computed for each value.
    /// - Returns: The request, in the order of this one, its limit and offset applied. The call that uses it throws
    ///   `.invalidValue` where a sum leaves its type.
    public func annotated<each Value: StorableValue>(
        _ totals: (Fields<Model>) -> (repeat FieldTotal<Model, each Value>)
    ) -> SelectRequest<(Model, repeat each Value)> {
        let totals = totals(Fields())
        var annotations: [Result<RowAnnotation, DBClientError>] = []
        for total in repeat each totals { annotations.append(total.described) }
        let plan = AnnotationPlan(request, annotations)
        let decoders = (repeat TotalDecoder((each totals).decode))
        return SelectRequest { transaction, rows in
            let (models, values) = try plan.run(transaction)
            rows.reserveCapacity(rows.count + models.count)
            for (index, model) in models.enumerated() {
                var row = values.row(index)
                rows.append((model, repeat try (each decoders).next(&row)))
            }
        }
    }

    /// Returns a request for the values, each with one number, sum, average or extreme of the values that lead to it or that
    /// it holds.
    public func annotated<Value: StorableValue>(
        _ total: (Fields<Model>) -> FieldTotal<Model, Value>
    ) -> SelectRequest<(Model, Value)> {
        let total = total(Fields())
        let plan = AnnotationPlan(request, [total.described])
        let decoder = TotalDecoder(total.decode)
        return SelectRequest { transaction, rows in
            let (models, values) = try plan.run(transaction)
            rows.reserveCapacity(rows.count + models.count)
            for (index, model) in models.enumerated() {
                var row = values.row(index)
                rows.append((model, try decoder.next(&row)))
            }
        }
    }
}

/// Rows with what is computed beside them, or what is wrong with the request.
private struct AnnotationPlan<Model: StoredConvertible>: Sendable {
    private let request: FetchRequest<Model>
    private let annotations: [Result<RowAnnotation, DBClientError>]

    init(_ request: FetchRequest<Model>, _ annotations: [Result<RowAnnotation, DBClientError>]) {
        self.request = request
        self.annotations = annotations
    }

    /// Returns the models in the request's order, and what was computed for each.
    func run(_ transaction: ReadTransaction) throws -> ([Model], AnnotationValues) {
        let query = try request.rowQuery()
        let annotations = try annotations.map { try $0.get() }
        if Model.self is any EngineConvertible.Type {
            throw DBClientError(
                .unsupported,
                "A model with shapes of several engines must not be annotated.",
                entity: query.entity.name
            )
        }
        let rows = RowBuffer(query.entity)
        let values = AnnotationValues(annotations)
        let width = query.entity.fields.count
        try transaction.annotate(query, with: annotations) { slots in
            guard let start = slots.baseAddress else { return }
            rows.append(copying: start)
            values.append(slots.dropFirst(width))
        }
        let shapes = try transaction.reader().models(Model.Storage.self, of: rows)
        return (try shapes.map { try Model(storage: $0) }, values)
    }
}

/// What was computed for each of some rows.
private final class AnnotationValues {
    fileprivate let annotations: [RowAnnotation]
    private let bytes = RowBuffer(.constant, columns: [])
    private var slots: [Slot] = []

    init(_ annotations: [RowAnnotation]) {
        self.annotations = annotations
    }

    func append(_ values: some Sequence<Slot>) {
        for value in values { slots.append(bytes.owned(value)) }
    }

    func row(_ index: Int) -> AnnotationRow {
        AnnotationRow(values: self, first: index * annotations.count)
    }

    fileprivate func value(_ place: Int) -> Slot { slots[place] }
}

/// Reads what was computed for a row, one after the other.
private struct AnnotationRow {
    let values: AnnotationValues
    let first: Int
    private var index = 0

    init(values: AnnotationValues, first: Int) {
        self.values = values
        self.first = first
    }

    mutating func next<Value>(
        _ decode: (Slot) throws(SlotError) -> Value
    ) throws -> Value {
        defer { index += 1 }
        let slot = values.value(first + index)
        do throws(SlotError) {
            return try decode(slot)
        } catch {
            let annotation = values.annotations[index]
            let field = annotation.term.operand?.field(of: annotation.rows.entity)
            let isSum = annotation.term.function == .sum
            throw DBClientError(
                isSum ? .invalidValue : .decoding,
                isSum
                    ? "The sum must be within the range of the field's type."
                    : error.message(reading: slot, as: field?.type),
                entity: annotation.rows.entity.name,
                field: field?.name
            )
        }
    }
}

/// Reads one of the values that were computed.
private struct TotalDecoder<Value: Sendable>: Sendable {
    private let decode: @Sendable (Slot) throws(SlotError) -> Value

    init(_ decode: @escaping @Sendable (Slot) throws(SlotError) -> Value) {
        self.decode = decode
    }

    func next(_ row: inout AnnotationRow) throws -> Value { try row.next(decode) }
}

extension FieldTotal {
    /// What an engine computes of each value, or why it cannot.
    fileprivate var described: Result<RowAnnotation, DBClientError> {
        Result { () throws(DBClientError) in
            do { return try annotation() } catch { throw DBClientError.wrapping(error) }
        }
    }
}

/// Some fields of the values of a request, as tuples: no model is built, and the engine leaves the
/// other fields where they are.
///
/// ```swift
/// let names = try await client.fetch(Character.all.select(\.identifier, \.name))
/// ```
public struct SelectRequest<Row: Sendable>: Sendable {
    /// How rows are found and delivered, or what is wrong with the request; of rows that are compared as they are stored,
    /// those that a sieve keeps.
    @usableFromInline let run: @Sendable (ReadTransaction, RowSieve?, inout [Row]) throws -> Void
    /// The fields of one model that are selected; nil where rows are made of something else.
    @usableFromInline let plan: ColumnPlan?
    /// The groups that are the rows; nil where they are something else.
    let groups: GroupedRows<Row>?
    /// The fields that the rows are made of, for observers; nil where they are made of something else.
    let fields: SelectedFields<Row>?
    /// Whether rows are equal where what is stored of them is, so that a sieve chooses among them.
    let isSifted: Bool
    /// Returns the request for other numbers of the rows, where what it is made of must be asked for these.
    var windowed: (@Sendable (SelectedWindow) -> SelectRequest)?

    /// Creates a request for rows of selected fields.
    @usableFromInline
    init(
        _ plan: ColumnPlan? = nil,
        of fields: SelectedFields<Row>? = nil,
        sifting run: @escaping @Sendable (ReadTransaction, RowSieve?, inout [Row]) throws -> Void
    ) {
        self.plan = plan
        self.fields = fields
        self.run = run
        groups = nil
        isSifted = true
    }

    /// Creates a request for rows that are more than selected fields.
    init(
        of fields: SelectedFields<Row>? = nil,
        run: @escaping @Sendable (ReadTransaction, inout [Row]) throws -> Void
    ) {
        plan = nil
        self.fields = fields
        self.run = { try run($0, &$2) }
        groups = nil
        isSifted = false
    }

    init(_ groups: GroupedRows<Row>) {
        self.groups = groups
        fields = nil
        plan = nil
        run = { try groups.append(from: $0, keptBy: $1, to: &$2) }
        isSifted = !groups.isMapped
    }
}

extension FetchRequestConvertible {
    /// Returns a request for some fields of the values, in the request's order, its limit and offset
    /// applied.
    ///
    /// The fields are properties of types that are kept as one column: scalars, dates, storable enums,
    /// lists, references, optionals of them. They may be of what is embedded and of what a to-one relationship holds,
    /// `select(\.name, \.team?.name)`, nil where that is absent.
    @inlinable
    public func select<each Value: ColumnValue>(
        _ fields: repeat KeyPath<Model.Storage, each Value>
    ) -> SelectRequest<(repeat each Value)> {
        var names: [PartialKeyPath<Model.Storage>] = []
        for field in repeat each fields { names.append(field) }
        let plan = ColumnPlan(names, of: request)
        let fields = SelectedFields<(repeat each Value)>(plan) { slots, rows in
            guard var row = ColumnDecoder(slots) else { return }
            rows.append((repeat try row.next((each Value).self, plan)))
        }
        return SelectRequest(of: fields) { transaction, sieve, rows in
            try plan.run(transaction, keptBy: sieve) { batch in
                plan.makeRoom(for: batch, in: &rows)
                for index in 0..<batch.count {
                    var row = ColumnDecoder(batch, at: index)
                    rows.append((repeat try row.next((each Value).self, plan)))
                }
            }
        }
    }
}

extension FetchRequestConvertible {
    /// Returns a request for one field of the values, in the request's order, its limit and offset
    /// applied.
    ///
    /// A call of its own, because a tuple of one is inferred only where nothing else says what it is.
    @inlinable
    public func select<Value: ColumnValue>(
        _ field: KeyPath<Model.Storage, Value>
    ) -> SelectRequest<Value> {
        let plan = ColumnPlan([field], of: request)
        let fields = SelectedFields<Value>(plan) { slots, rows in
            guard var row = ColumnDecoder(slots) else { return }
            rows.append(try row.next(Value.self, plan))
        }
        return SelectRequest(plan, of: fields) { transaction, sieve, rows in
            try plan.run(transaction, keptBy: sieve) { batch in
                plan.makeRoom(for: batch, in: &rows)
                for index in 0..<batch.count {
                    var row = ColumnDecoder(batch, at: index)
                    rows.append(try row.next(Value.self, plan))
                }
            }
        }
    }
}

/// The fields of a selection and where they come from, or why there are none.
@usableFromInline
struct ColumnPlan: Sendable {
    let fields: [RowGrouping.Key]
    private var source: Result<RowQuery, DBClientError>
    /// Finds the same in the shape that a transaction keeps of the model; nil for one of one shape.
    private let mapped: (@Sendable (ReadTransaction) throws -> (RowQuery, [RowGrouping.Key]))?

    @usableFromInline
    init<Model: StoredConvertible>(
        _ keyPaths: [PartialKeyPath<Model.Storage>],
        of request: FetchRequest<Model>
    ) {
        self.init(of: request) { try keyPaths.map { try Model.Storage.place(of: $0) } }
    }

    init<Model: StoredConvertible>(
        of request: FetchRequest<Model>,
        _ places: () throws -> [RowGrouping.Key]
    ) {
        var fields: [RowGrouping.Key] = []
        source = Result { () throws(DBClientError) in
            do {
                let query = try request.rowQuery()
                fields = try places()
                if fields.isEmpty {
                    throw DBClientError(
                        .invalidRequest,
                        "A selection must name at least one field.",
                        entity: query.entity.name
                    )
                }
                return query
            } catch {
                throw DBClientError.wrapping(error)
            }
        }
        self.fields = fields
        guard Model.self is any EngineConvertible.Type else {
            mapped = nil
            return
        }
        mapped = { [fields] transaction in
            try Model.mapping(in: transaction).selection(of: fields, request)
        }
    }

    /// Whether the model has one stored shape on every engine.
    var isOfStoredShape: Bool { mapped == nil }

    /// Returns the request whose fields are selected.
    func query() throws -> RowQuery {
        var query = try source.get()
        window.apply(to: &query)
        return query
    }

    /// Which of the rows are selected, in place of what the request says.
    private var window = SelectedWindow()

    /// Returns the same with other numbers of rows.
    func selecting(_ window: SelectedWindow) -> ColumnPlan {
        var copy = self
        copy.window = window.applied(to: copy.window)
        if let failure = window.failure, case .success = source { copy.source = .failure(failure) }
        return copy
    }

    @usableFromInline
    func run(
        _ transaction: ReadTransaction,
        keptBy sieve: RowSieve?,
        _ visit: (RowBatch) throws -> Void
    ) throws {
        let source = try source.get()
        var (query, fields) = try mapped?(transaction) ?? (source, fields)
        let wanted = sieve?.allWindows?.applied(to: window) ?? window
        if let failure = wanted.failure { throw failure }
        wanted.apply(to: &query)
        let sieve = sieve?.choosing
        try transaction.select(fields, of: query) { batch in
            if let sieve { try sieve.sift(batch, visit) } else { try visit(batch) }
            return true
        }
    }

    /// Makes room for all the rows that the engine knows of, before the first.
    @inlinable
    @inline(__always)
    func makeRoom<Row>(for batch: RowBatch, in rows: inout [Row]) {
        if batch.expectedCount > 0 && rows.isEmpty { rows.reserveCapacity(batch.expectedCount) }
    }

    /// Returns the error of a field that is not what the property says.
    @usableFromInline
    @inline(never)
    func failure(_ error: SlotError, _ slot: Slot, at index: Int) -> DBClientError {
        let entity = try? source.get().entity
        let field = entity.map { fields[index].field(of: $0) }
        return DBClientError(
            .decoding,
            error.message(reading: slot, as: field?.type),
            entity: entity.map { fields[index].owner($0).name },
            field: field?.name
        )
    }
}

/// Reads the selected fields of one row in their order.
@usableFromInline
struct ColumnDecoder {
    @usableFromInline var next: UnsafePointer<Slot>
    @usableFromInline let first: UnsafePointer<Slot>

    /// Creates a reader of one row.
    @usableFromInline
    init?(_ slots: UnsafeBufferPointer<Slot>) {
        guard let start = slots.baseAddress else { return nil }
        next = start
        first = start
    }

    @inlinable
    @inline(__always)
    init(_ batch: RowBatch, at row: Int) {
        first = batch.slots + row * batch.columnCount
        next = first
    }

    @inlinable
    @inline(__always)
    mutating func next<Value: ColumnValue>(
        _ type: Value.Type,
        _ plan: borrowing ColumnPlan
    ) throws -> Value {
        let slot = next.pointee
        next += 1
        do throws(SlotError) {
            return try Value(slot: slot)
        } catch {
            throw plan.failure(error, slot, at: next - first - 1)
        }
    }
}

/// The grouping that an engine computes, or the error of the request.
struct GroupPlan: Sendable {
    /// Returns a grouping of the same in what a transaction keeps.
    typealias Mapping = @Sendable (RowGrouping, ReadTransaction) throws -> RowGrouping

    private(set) var grouping: Result<RowGrouping, DBClientError>
    private var window: GroupWindow
    /// What groups get from the others; nil where nothing of that is selected.
    private let windows: GroupWindowRows?
    private let mapped: Mapping?
    /// How many keys and selected columns a row has, without the aggregates of conditions and of the sort.
    let width: Int

    init<Model: Stored, each Key: ColumnValue>(
        _ request: GroupRequest<Model, repeat each Key>,
        _ columns: Result<[GroupColumn], DBClientError>
    ) {
        mapped = request.mapped
        var window = request.window
        var windows: GroupWindowRows?
        grouping = Result { () throws(DBClientError) in
            do {
                let query = try request.request.rowQuery()
                let keys = try request.fields.get()
                if let failure = request.condition.failure ?? window.failure { throw failure }
                if keys.isEmpty {
                    throw DBClientError(
                        .invalidRequest,
                        "A grouping must name at least one field.",
                        entity: query.entity.name,
                        hint: "Let an enum adopt `StorableValue` to group by it."
                    )
                }
                let columns = try columns.get()
                var grouping = RowGrouping(
                    query,
                    by: keys,
                    terms: columns.compactMap { column in
                        if case .term(let term) = column { term } else { nil }
                    },
                    where: request.condition.row
                )
                if grouping.terms.count < columns.count {
                    windows = try GroupWindowRows(columns, in: &grouping)
                }
                try window.resolve(in: &grouping)
                return grouping
            } catch {
                throw DBClientError.wrapping(error)
            }
        }
        self.window = window
        self.windows = windows
        let keys = (try? request.fields.get())?.count ?? 0
        width = keys + ((try? columns.get())?.count ?? 0)
    }

    /// Returns the plan for other numbers of groups.
    func selecting(_ window: SelectedWindow) -> GroupPlan {
        var copy = self
        if let limit = window.limit { copy.window.limit = limit }
        if let offset = window.offset { copy.window.offset = offset }
        if let failure = window.failure, case .success = grouping {
            copy.grouping = .failure(failure)
        }
        return copy
    }

    /// The sort of the groups, its terms found among the slots that are visited.
    var resolvedWindow: GroupWindow {
        guard let windows, let keys = try? grouping.get().keys.count else { return window }
        return window.inserting(windows.columns.count, behind: keys)
    }

    /// Whether what groups get from the others is selected.
    var hasWindows: Bool { windows != nil }

    /// Whether the model has one stored shape on every engine.
    var isOfStoredShape: Bool { mapped == nil }

    func run(
        _ transaction: ReadTransaction,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let grouping = try mapped(in: transaction)
        if let windows { return try windows.visit(grouping, window, in: transaction, visit) }
        try window.visit(grouping, in: transaction, visit)
    }

    /// Throws where the order of the groups, or which of them come, is not what the keys say.
    func checkUnsorted() throws {
        if windows != nil {
            throw DBClientError(
                .invalidRequest,
                "What is computed over a window of groups must not be selected beside totals.",
                entity: try? grouping.get().query.entity.name,
                hint: "Ask for the totals by a request of their own."
            )
        }
        if window.isWhole { return }
        throw DBClientError(
            .invalidRequest,
            "Groups with totals must not be sorted, limited or begun at an offset.",
            entity: try? grouping.get().query.entity.name,
            hint: "Sort the rows that are fetched, or ask for the totals by a request of their own."
        )
    }

    /// Returns the grouping of the shape that a transaction keeps.
    func mapped(in transaction: ReadTransaction) throws -> RowGrouping {
        let grouping = try grouping.get()
        return try mapped?(grouping, transaction) ?? grouping
    }

    /// Returns the error of a key or a term that is not what its type says.
    func failure(_ error: SlotError, _ slot: Slot, at index: Int) -> DBClientError {
        guard let grouping = try? grouping.get() else {
            return DBClientError(.decoding, error.message(reading: slot, as: nil))
        }
        let entity = grouping.query.entity
        if index < grouping.keys.count {
            let key = grouping.keys[index]
            let field = key.field(of: entity)
            return DBClientError(
                .decoding,
                error.message(reading: slot, as: field.type),
                entity: key.owner(entity).name,
                field: field.name
            )
        }
        let position = index - grouping.keys.count
        let term = windows.map { $0.columns[position].operand } ?? grouping.terms[position]
        guard let term, let function = term.function, let place = term.operand else {
            return DBClientError(.decoding, error.message(reading: slot, as: nil))
        }
        let field = place.field(of: entity)
        return DBClientError(
            function == .sum ? .invalidValue : .decoding,
            function == .sum
                ? "The sum must be within the range of the field's type."
                : error.message(reading: slot, as: field.type),
            entity: place.owner(entity).name,
            field: field.name
        )
    }
}

/// Reads the keys of a group, then its aggregates, in their order.
struct GroupDecoder {
    private let slots: UnsafeBufferPointer<Slot>
    private let plan: GroupPlan
    private var index = 0

    init(_ slots: UnsafeBufferPointer<Slot>, _ plan: GroupPlan) {
        self.slots = slots
        self.plan = plan
    }

    mutating func next<Value: ColumnValue>(_ type: Value.Type) throws -> Value {
        defer { index += 1 }
        do throws(SlotError) {
            return try Value(slot: slots[index])
        } catch {
            throw plan.failure(error, slots[index], at: index)
        }
    }

    /// Reads a key, which is nil in the row of a total that has fewer keys.
    mutating func next<Value: ColumnValue>(
        _ type: Value.Type,
        ofFirst keyCount: Int
    ) throws -> Value? {
        if index < keyCount { return .some(try next(type)) }
        index += 1
        return nil
    }

    mutating func next<Model, Value>(_ term: GroupTerm<Model, Value>) throws -> Value {
        defer { index += 1 }
        do throws(SlotError) {
            return try term.decode(slots[index])
        } catch {
            throw plan.failure(error, slots[index], at: index)
        }
    }
}

extension [Result<GroupColumn, DBClientError>] {
    /// The terms, or what is wrong with the first that has no meaning.
    var all: Result<[GroupColumn], DBClientError> {
        var terms: [GroupColumn] = []
        for term in self {
            switch term {
            case .success(let term): terms.append(term)
            case .failure(let failure): return .failure(failure)
            }
        }
        return .success(terms)
    }
}

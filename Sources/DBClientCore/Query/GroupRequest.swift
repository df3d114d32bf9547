/// The values of a request put together by some fields: what `select` says of each group comes out.
///
/// ```swift
/// let request = Character.all
///     .grouped(by: \.publisher)
///     .having { $0.count > 10 }
///     .select(.count, .max(\.firstAppearance.year))
/// for (publisher, (count, latest)) in try await client.fetch(request) { … }
/// ```
public struct GroupRequest<Model: Stored, each Key: ColumnValue>: Sendable {
    let request: FetchRequest<Model>
    /// The keys, or what is wrong with them.
    let keys: Result<[RowGrouping.Key], DBClientError>
    var condition = GroupCondition<Model>(.constant(true))
    /// Finds the same in the shape that a transaction keeps of a model; nil for one of one shape.
    let mapped: GroupPlan.Mapping?

    /// Returns the request for the groups that also fulfil a condition.
    public func having(_ condition: (GroupFields<Model>) -> GroupCondition<Model>) -> Self {
        var copy = self
        let combined = self.condition && condition(GroupFields())
        let isTooDeep = combined.row.isNested(deeperThan: RowCondition.maximumNesting)
        copy.condition = GroupCondition(
            combined.row,
            failure: combined.failure
                ?? (isTooDeep ? RowCondition.nestedTooDeep(Model.schema.entity) : nil)
        )
        return copy
    }

    /// Returns the request for aggregates of each group, ascending by the keys, nil first.
    ///
    /// - Parameter terms: The aggregates: `.count`, `.sum(\.power)`, `.min`, `.max`, `.average`.
    /// - Returns: The request for rows of the key and the aggregates.
    public func select<each Value: Sendable>(
        _ terms: repeat GroupTerm<Model, each Value>
    ) -> SelectRequest<(key: (repeat each Key), values: (repeat each Value))> {
        var rowTerms: [RowGrouping.Term] = []
        var failure: DBClientError?
        for term in repeat each terms {
            do { rowTerms.append(try term.row.get()) } catch { failure = failure ?? error }
        }
        let terms = (repeat each terms)
        let plan = GroupPlan(request, keys, rowTerms, condition, failure, mapped)
        return SelectRequest { transaction, rows in
            try plan.run(transaction) { slots in
                var row = GroupDecoder(slots, plan)
                rows.append(
                    (
                        key: (repeat try row.next((each Key).self)),
                        values: (repeat try row.next((each terms)))
                    )
                )
            }
        }
    }
}

extension GroupRequest {
    /// Returns the request for one aggregate of each group, ascending by the keys, nil first.
    public func select<Value: Sendable>(
        _ term: GroupTerm<Model, Value>
    ) -> SelectRequest<(key: (repeat each Key), values: Value)> {
        var rowTerms: [RowGrouping.Term] = []
        var failure: DBClientError?
        do { rowTerms.append(try term.row.get()) } catch { failure = error }
        let plan = GroupPlan(request, keys, rowTerms, condition, failure, mapped)
        return SelectRequest { transaction, rows in
            try plan.run(transaction) { slots in
                var row = GroupDecoder(slots, plan)
                rows.append(
                    (key: (repeat try row.next((each Key).self)), values: try row.next(term))
                )
            }
        }
    }
}

extension FetchRequestConvertible {
    /// Returns a request for the groups of values that are equal in some fields.
    ///
    /// Text is equal by its bytes, and nil is a key like any other. The request's limit and offset
    /// choose values before they are grouped. A field may be of what is embedded and of what a to-one relationship
    /// holds, `grouped(by: \.team?.name)`, nil where that is absent.
    public func grouped<each Key: ColumnValue>(
        by keys: repeat KeyPath<Model.Storage, each Key>
    ) -> GroupRequest<Model.Storage, repeat each Key> {
        var paths: [PartialKeyPath<Model.Storage>] = []
        for key in repeat each keys { paths.append(key) }
        return grouping { try paths.map { try Model.Storage.place(of: $0) } }
    }

    /// Returns a request for the groups of values that are equal in some fields of their own or of what
    /// they hold.
    ///
    /// ```swift
    /// let perPublisher = Hero.all.grouped { $0.publisher.name }.select(.count)
    /// let perBoth = Hero.all.grouped { ($0.publisher.name, $0.isActive) }.select(.count)
    /// ```
    ///
    /// Where nothing is held the key is nil.
    public func grouped<each Key: ColumnValue>(
        byFields keys: (Fields<Model>) -> (repeat Field<Model, each Key>)
    ) -> GroupRequest<Model.Storage, repeat each Key> {
        let fields = keys(Fields())
        var rowKeys: [Result<RowGrouping.Key, any Error>] = []
        for field in repeat each fields { rowKeys.append(Result { try field.groupKey() }) }
        return grouping { try rowKeys.map { try $0.get() } }
    }

    private func grouping<each Key: ColumnValue>(
        _ keys: () throws -> [RowGrouping.Key]
    ) -> GroupRequest<Model.Storage, repeat each Key> {
        let request = request
        var mapped: GroupPlan.Mapping?
        if Model.self is any EngineConvertible.Type {
            mapped = { try Model.mapping(in: $1).grouping($0, request) }
        }
        return GroupRequest(
            request: FetchRequest<Model.Storage>(request),
            keys: Result { () throws(DBClientError) in
                do {
                    return try keys()
                } catch {
                    throw DBClientError.wrapping(error)
                }
            },
            mapped: mapped
        )
    }
}

extension Field {
    fileprivate func groupKey() throws -> RowGrouping.Key {
        RowGrouping.Key(try column(), through: path)
    }
}

/// The grouping that an engine computes, or the error of the request.
struct GroupPlan: Sendable {
    /// Returns a grouping of the same in what a transaction keeps.
    typealias Mapping = @Sendable (RowGrouping, ReadTransaction) throws -> RowGrouping

    private let grouping: Result<RowGrouping, DBClientError>
    private let mapped: Mapping?

    init<Model: Stored>(
        _ request: FetchRequest<Model>,
        _ keys: Result<[RowGrouping.Key], DBClientError>,
        _ terms: [RowGrouping.Term],
        _ condition: GroupCondition<Model>,
        _ failure: DBClientError?,
        _ mapped: Mapping?
    ) {
        self.mapped = mapped
        grouping = Result { () throws(DBClientError) in
            do {
                let query = try request.rowQuery()
                if let failure = failure ?? condition.failure { throw failure }
                let keys = try keys.get()
                if keys.isEmpty {
                    throw DBClientError(
                        .invalidRequest,
                        "A grouping must name at least one field.",
                        entity: query.entity.name,
                        hint: "Let an enum adopt `StorableValue` to group by it."
                    )
                }
                return RowGrouping(query, by: keys, terms: terms, where: condition.row)
            } catch {
                throw DBClientError.wrapping(error)
            }
        }
    }

    func run(
        _ transaction: ReadTransaction,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let grouping = try grouping.get()
        try transaction.group(mapped?(grouping, transaction) ?? grouping, visit)
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
        let function: AggregateFunction
        let place: RowGrouping.Key
        switch grouping.terms[index - grouping.keys.count] {
        case .count: return DBClientError(.decoding, error.message(reading: slot, as: nil))
        case .function(let own, let column): (function, place) = (own, RowGrouping.Key(column))
        case .heldFunction(let held, let field): (function, place) = (held, field)
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

    mutating func next<Model, Value>(_ term: GroupTerm<Model, Value>) throws -> Value {
        defer { index += 1 }
        do throws(SlotError) {
            return try term.decode(slots[index])
        } catch {
            throw plan.failure(error, slots[index], at: index)
        }
    }
}

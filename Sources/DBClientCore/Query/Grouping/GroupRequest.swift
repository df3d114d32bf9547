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
    let fields: Result<[RowGrouping.Key], DBClientError>
    var condition = GroupCondition<Model>(.constant(true))
    /// In what order the groups come, and which of them.
    var window = GroupWindow()
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

    /// Returns the request for aggregates of each group, ascending by the keys, nil first, unless the groups are sorted.
    ///
    /// - Parameter terms: The aggregates: `.count`, `.count(where:)`, `.countDistinct`, `.sum(\.power)`, `.min`, `.max`,
    ///   `.average`.
    /// - Returns: The request for rows of the key and the aggregates.
    public func select<each Value: Sendable>(
        _ terms: repeat GroupTerm<Model, each Value>
    ) -> SelectRequest<(key: (repeat each Key), values: (repeat each Value))> {
        var rows: [Result<GroupColumn, DBClientError>] = []
        for term in repeat each terms { rows.append(term.column) }
        let terms = (repeat each terms)
        let plan = GroupPlan(self, rows.all)
        return SelectRequest(
            GroupedRows(plan) { slots, rows in
                var row = GroupDecoder(slots, plan)
                rows.append(
                    (
                        key: (repeat try row.next((each Key).self)),
                        values: (repeat try row.next((each terms)))
                    )
                )
            }
        )
    }
}

extension GroupRequest {
    /// The request for the keys of the groups alone: the different values that there are, ascending, nil first, unless the
    /// groups are sorted.
    public var keys: SelectRequest<(repeat each Key)> {
        let plan = GroupPlan(self, .success([]))
        return SelectRequest(
            GroupedRows(plan) { slots, rows in
                var row = GroupDecoder(slots, plan)
                rows.append((repeat try row.next((each Key).self)))
            }
        )
    }

    /// Returns the request for one aggregate of each group, ascending by the keys, nil first, unless the groups are sorted.
    public func select<Value: Sendable>(
        _ term: GroupTerm<Model, Value>
    ) -> SelectRequest<(key: (repeat each Key), values: Value)> {
        let plan = GroupPlan(self, term.column.map { [$0] })
        return SelectRequest(
            GroupedRows(plan) { slots, rows in
                var row = GroupDecoder(slots, plan)
                rows.append(
                    (key: (repeat try row.next((each Key).self)), values: try row.next(term))
                )
            }
        )
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
    /// Where nothing is held the key is nil. What is computed from fields is a key as well,
    /// `grouped { $0.name.lowercased() }`: a relational engine computes it in the statement of the groups, the library does
    /// elsewhere.
    public func grouped<each Key: ExpressionTerm>(
        byFields keys: (Fields<Model>) -> (repeat each Key)
    ) -> GroupRequest<Model.Storage, repeat (each Key).Value>
    where repeat (each Key).Value: ColumnValue {
        let terms = keys(Fields())
        var rowKeys: [Result<RowGrouping.Key, any Error>] = []
        for term in repeat each terms {
            rowKeys.append(Result { try term.groupKey(of: Model.self) })
        }
        return grouping { try rowKeys.map { try $0.get() } }
    }

    /// Returns a request for the different values of some fields, or of what is computed from fields, ascending, nil first:
    /// the keys of ``grouped(byFields:)``.
    public func distinct<each Key: ExpressionTerm>(
        _ keys: (Fields<Model>) -> (repeat each Key)
    ) -> SelectRequest<(repeat (each Key).Value)>
    where repeat (each Key).Value: ColumnValue {
        grouped(byFields: keys).keys
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
            fields: Result { () throws(DBClientError) in
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

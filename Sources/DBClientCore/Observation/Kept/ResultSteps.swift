/// The source of the versions that one observer of rows gets, which ends when its last reference is released.
protocol ResultSteps: AnyObject {
    /// Returns the version that the observer had and the next, waiting for it; nil when the observation was cancelled.
    func next() async throws -> ResultStep?
}

/// Rows that are kept for all their observers, as one of them gets them.
final class KeptRows<ID: Hashable & Sendable>: ResultSteps {
    private let subscriber: ResultSubscriber
    private let id: ID
    private let hub: ChangeHub

    init(
        _ subscriber: ResultSubscriber,
        sharedBy id: ID,
        _ hub: ChangeHub,
        _ make: @escaping @Sendable () -> LiveEntries
    ) {
        self.subscriber = subscriber
        self.id = id
        self.hub = hub
        hub.perform(inTurn: true) { $0.attach(subscriber, to: id, make) }
    }

    deinit {
        subscriber.cancel()
        hub.perform(inTurn: true) { [subscriber, id] in $0.detach(subscriber, fromEntries: id) }
    }

    func next() async throws -> ResultStep? {
        try await subscriber.next()
    }
}

/// Rows that are read again after commits.
final class RefetchedRows: ResultSteps {
    private let value: ComputedValue<ResultVersion>
    private var delivered: ResultVersion?

    init(_ value: ComputedValue<ResultVersion>) {
        self.value = value
    }

    func next() async throws -> ResultStep? {
        guard let new = try await value.next() else { return nil }
        defer { delivered = new }
        return ResultStep(old: delivered, new: new)
    }
}

/// The identity of groups: observers of equal ones share them.
struct SharedGroupsID: Hashable, Sendable {
    private let grouping: RowGrouping
    private let sort: [[Int]]
    private let limit: Int?
    private let offset: Int
    private let rows: RowsID

    init<Row: Sendable>(
        _ grouping: RowGrouping,
        _ groups: GroupedRows<Row>,
        for subscriber: ResultSubscriber
    ) {
        let window = groups.plan.resolvedWindow
        self.grouping = grouping
        sort = window.sort.map { [$0.position, $0.isDescending ? 1 : 0, $0.nilsFirst ? 1 : 0] }
        limit = window.limit
        offset = window.offset
        rows = RowsID(Row.self, isMapped: groups.isMapped, for: subscriber)
    }
}

/// The identity of selected fields: observers of equal ones share them.
struct SharedSelectionID: Hashable, Sendable {
    private let query: RowQuery
    private let fields: [RowGrouping.Key]
    private let rows: RowsID

    init<Row: Sendable>(
        _ query: RowQuery,
        _ fields: SelectedFields<Row>,
        for subscriber: ResultSubscriber
    ) {
        self.query = query
        self.fields = fields.plan.fields
        rows = RowsID(Row.self, isMapped: fields.isMapped, for: subscriber)
    }
}

/// What rows are made of values: equal values come to equal rows.
private struct RowsID: Hashable, Sendable {
    /// The type of the rows.
    private let type: ObjectIdentifier
    /// The one observer, where a function of the caller's makes the rows.
    private let owner: ObjectIdentifier?

    init(_ type: Any.Type, isMapped: Bool, for subscriber: ResultSubscriber) {
        self.type = ObjectIdentifier(type)
        owner = isMapped ? ObjectIdentifier(subscriber) : nil
    }
}

/// The source of the versions that one observer of rows gets, which ends when its last reference is released.
protocol ResultSteps: AnyObject {
    /// Returns the version that the observer had and the next, waiting for it; nil when the observation was cancelled.
    func next() async throws -> ResultStep?
}

/// Rows that are kept for all their observers, as one of them gets them.
final class KeptRows<Row: Sendable>: ResultSteps {
    private let subscriber: ResultSubscriber
    private let id: SharedGroupsID
    private let hub: ChangeHub

    init(
        _ subscriber: ResultSubscriber,
        _ row: Row.Type,
        sharedBy id: SharedGroupsID,
        _ hub: ChangeHub,
        _ make: @escaping @Sendable () -> LiveGroups<Row>
    ) {
        self.subscriber = subscriber
        self.id = id
        self.hub = hub
        hub.perform(inTurn: true) { $0.attach(subscriber, to: id, make) }
    }

    deinit {
        subscriber.cancel()
        hub.perform(inTurn: true) { [subscriber, id] in
            $0.detach(subscriber, from: id, of: Row.self)
        }
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
    /// The type of the rows.
    private let type: ObjectIdentifier
    /// The one observer, where a function of the caller's makes the rows.
    private let owner: ObjectIdentifier?

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
        type = ObjectIdentifier(Row.self)
        owner = groups.isMapped ? ObjectIdentifier(subscriber) : nil
    }
}

extension GroupedRows {
    /// Reads the groups that are wanted as one version.
    func version(in transaction: ReadTransaction) throws -> ResultVersion {
        let grouping = try plan.grouping.get()
        let bytes = RowBuffer(.constant, columns: [])
        var entries: [ResultEntry] = []
        try plan.run(transaction) { slots in
            let key = GroupShape.key(of: slots, grouping.keys.count, plan.resolvedWindow, bytes)
            let entry = RowEntry(key, slots, of: self)
            if let failure = entry.failure { throw failure }
            entries.append(entry)
        }
        return ResultVersion(ResultTree(entries), RowQuery(grouping.query.entity))
    }
}

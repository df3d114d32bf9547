/// The number of a query's rows, kept for all its observers: confined to the hub.
///
/// It is counted once. From then on a commit changes it by its own rows, where these decide; where other rows decide too,
/// or the rows are not known, it is counted again.
final class LiveCount: LiveFold<KeptCount, CountSubscriber>, @unchecked Sendable {
    /// Creates the number of a query's rows, which has no order, limit and offset.
    init(_ query: RowQuery, _ hub: ChangeHub) {
        super.init(query, hub) { KeptCount(try $0.count(query)) }
    }

    override func show(_ state: KeptCount, to subscribers: [CountSubscriber]) {
        let count = state.value()
        for subscriber in subscribers { subscriber.show(count) }
    }
}

/// A number of rows that those which come and go change: confined to the hub once they are counted.
final class KeptCount: KeptState, @unchecked Sendable {
    private var count: Int
    private(set) var hasChanged = true

    /// Takes the number that was counted.
    init(_ count: Int) {
        self.count = count
    }

    func take(before: RowBatch?, after: RowBatch?, of input: Int) -> Bool {
        let change = (after == nil ? 0 : 1) - (before == nil ? 0 : 1)
        if change == 0 { return true }
        count += change
        hasChanged = true
        return true
    }

    /// Returns the number as it is now.
    func value() -> Int {
        hasChanged = false
        return count
    }
}

/// One observer of a number: the part of it that a request's limit and offset leave.
final class CountSubscriber: KeptSubscriber {
    let engine: any Engine
    let mailbox = ValueMailbox<Int> { $0 == $1 }
    /// Kept open while it is observed.
    private let client: any DBClient
    private let offset: Int
    private let limit: Int

    init(_ query: RowQuery, engine: any Engine, client: any DBClient) {
        self.engine = engine
        self.client = client
        offset = query.offset
        limit = query.limit ?? .max
    }

    func show(_ count: Int) {
        mailbox.put(count > offset ? min(count - offset, limit) : 0)
    }

    func end(_ error: DBClientError) { mailbox.end(error) }
}

/// The number of a query's rows, kept for all its observers: confined to the hub.
///
/// It is counted once. From then on a commit changes it by its own rows, where these decide, or those that must belong to
/// them; where others decide too, or the rows are not known, it is counted again.
final class LiveCount: LiveFold<KeptCount, CountSubscriber>, @unchecked Sendable {
    /// Creates the number of a query's rows, which has no order, limit and offset.
    init(_ query: RowQuery, _ hub: ChangeHub) {
        let isMatched = MatchConditions(query) != nil
        super.init(query, hub) {
            isMatched ? try KeptCount(query, in: $0) : KeptCount(try $0.count(query))
        }
    }

    override func show(_ state: KeptCount, to subscribers: [CountSubscriber]) {
        let count = state.value()
        for subscriber in subscribers { subscriber.show(count) }
    }
}

/// A number of rows that those which come and go change: confined to the hub once they are counted.
final class KeptCount: KeptState, @unchecked Sendable {
    private var count: Int
    /// Finds the rows, where those of other entities decide too.
    private let node: RowNode?
    private(set) var hasChanged = true

    /// Takes the number that was counted of rows that decide by themselves.
    init(_ count: Int) {
        self.count = count
        node = nil
    }

    /// Counts the rows of a query that is kept, of which rows of other entities decide too.
    init(_ query: RowQuery, in reader: any EngineReader) throws {
        let node = RowNode.node(of: query, looking: [])
        self.node = node
        count = 0
        try node.read(in: reader) { count += $1 }
    }

    func take(before: RowBatch?, after: RowBatch?, of input: Int) -> Bool {
        if let node {
            return node.take(before: before, after: after, of: input) { add($1) }
        }
        add((after == nil ? 0 : 1) - (before == nil ? 0 : 1))
        return true
    }

    private func add(_ change: Int) {
        if change == 0 { return }
        count += change
        hasChanged = true
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

public import DBClientCore
import Observation

/// The rows of a select request as a view shows them: fields, groups with totals, rows of joins.
///
/// ```swift
/// let counts = client.live(Hero.all.grouped(by: \.team).select(.count))
/// ```
///
/// Rows that observations keep (`DBClient.observe(_:)` of a select request) are changed by the rows that commits write.
/// Others, and all of an object that was made with `of:`, are read again, off the main actor, when a value was written that
/// they are of, once for several commits in quick succession, and are shown if they differ: rows are then compared by `==`
/// where they have it, and tuples by their parts; other rows always differ.
@MainActor
public final class LiveRows<Row: Sendable>: LiveObject {
    let core: LiveCore<[Row]>
    private let feed: (SelectRequest<Row>) -> LiveFeed<[Row]>
    private let requestSignal = LiveSignal()
    private var asked: SelectRequest<Row>

    init(
        _ request: SelectRequest<Row>,
        _ retry: LiveRetry,
        feed: @escaping (SelectRequest<Row>) -> LiveFeed<[Row]>
    ) {
        asked = request
        self.feed = feed
        core = LiveCore(retry)
        core.begin(feed(request))
    }

    convenience init(
        _ request: SelectRequest<Row>,
        difference: @escaping @Sendable ([Row]?, [Row]) -> LiveChange,
        _ retry: LiveRetry,
        open: @escaping (SelectRequest<Row>) -> ValueStream<ReadRows<Row>>
    ) {
        self.init(request, retry) { .values(open($0), \.rows, difference) }
    }

    /// What is shown; another request over the same values takes its place.
    ///
    /// What was shown stays, and stays live, until the first result of the new request is there, and never comes after it.
    public var request: SelectRequest<Row> {
        get {
            requestSignal.access()
            return asked
        }
        set {
            requestSignal.change { asked = newValue }
            core.begin(feed(newValue))
        }
    }

    /// The rows; empty until the first result is there.
    public var values: [Row] {
        core.contentSignal.access()
        return core.content ?? []
    }

    /// The rows before the last change.
    public var previous: [Row] {
        core.contentSignal.access()
        return core.previous ?? []
    }

    /// How ``values`` differ from ``previous``; nil until the first result is there.
    public var lastChange: LiveChange? {
        core.contentSignal.access()
        return core.lastChange
    }

    /// How often what is shown has changed.
    public var revision: Int {
        core.contentSignal.access()
        return core.revision
    }

    /// Returns how what is shown differs from what was shown at a revision: nil if more than one change lies between, and
    /// the list has to be made anew.
    ///
    /// A view is drawn again some time after a change, and another one may have come by then. So keep the ``revision`` that
    /// is drawn, and apply what this returns.
    public func change(since revision: Int) -> LiveChange? {
        switch self.revision - revision {
        case 0: LiveChange()
        case 1: core.lastChange
        default: nil
        }
    }

    /// The position of the first row, always zero.
    public var startIndex: Int { 0 }

    /// The position after the last row, which is the number of rows.
    public var endIndex: Int { values.count }

    /// The number of rows; zero until the first result is there.
    public var count: Int { endIndex }

    /// Whether there is no row; true until the first result is there.
    public var isEmpty: Bool { endIndex == 0 }

    /// The row at a position from zero; traps outside of the collection.
    public subscript(position: Int) -> Row { values[position] }
}

#if compiler(>=6.2)
extension LiveRows: @MainActor RandomAccessCollection {}
#endif

/// Rows that were read; equal if a view need not be drawn again.
struct ReadRows<Row: Sendable>: Equatable, Sendable {
    let rows: [Row]
    let isSame: @Sendable (Row, Row) -> Bool

    static func == (left: ReadRows, right: ReadRows) -> Bool {
        left.rows.elementsEqual(right.rows, by: left.isSame)
    }
}

extension LiveFeed {
    /// What a stream of values tells.
    static func values<Value: Sendable>(
        _ stream: ValueStream<Value>,
        _ content: @escaping @Sendable (Value) -> Content,
        _ difference: @escaping @Sendable (Content?, Content) -> LiveChange
    ) -> LiveFeed<Content> {
        LiveFeed(
            open: {
                var values = stream.makeAsyncIterator()
                var before: Content?
                return LivePuller {
                    guard let value = try await values.next() else { return nil }
                    let after = content(value)
                    defer { before = after }
                    guard let before else { return .initial(after) }
                    return .update(after, difference(before, after))
                }
            },
            difference: difference
        )
    }
}

extension LiveFeed {
    /// The rows that an observation of a select request tells.
    static func rows<Row: Sendable>(_ stream: SelectStream<Row>) -> LiveFeed<[Row]>
    where Content == [Row] {
        LiveFeed(
            open: {
                var changes = stream.makeAsyncIterator()
                return LivePuller {
                    guard let change = try await changes.next() else { return nil }
                    let rows = Array(change.rows)
                    if change.previous == nil { return .initial(rows) }
                    return .update(rows, LiveChange(change))
                }
            },
            difference: { LiveChange(from: $0, to: $1, isSame: { isEqual($0, $1) }) }
        )
    }
}

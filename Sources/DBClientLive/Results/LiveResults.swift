public import DBClientCore
import Observation

/// The values of a request as a view shows them: a collection that changes by itself.
///
/// ```swift
/// let heroes = client.live(Hero.all.sorted { $0.name })
/// for hero in heroes { print(hero.name) }  // tracked: a view that does this is drawn again
/// heroes.request = Hero.where { $0.name.hasPrefix("Iron") }
/// ```
///
/// It is empty until the first result is there (``state``). From then on each commit that changes the result changes it
/// once, or several commits do where the main actor is busy, and what is shown is always what the request finds at a moment
/// between two commits. Whatever costs time happens elsewhere: the main actor exchanges one collection for another.
///
/// The collection stands still while code on the main actor runs without suspending. To keep what it shows, or to use it
/// elsewhere, take ``values``. With a compiler before Swift 6.2 it has a collection's members, but is none; ``values`` is.
@MainActor
public final class LiveResults<Model: StoredConvertible>: LiveObject {
    let core: LiveCore<ResultContent<Model>>
    /// Nil for one that says only that a client is missing.
    private let client: (any DBClient)?
    private let keeper: SectionKeeper<Model>?
    private let requestSignal = LiveSignal()
    private var asked: FetchRequest<Model>
    private let page: Int?
    private var visibleCount: Int?

    init(
        _ client: (any DBClient)?,
        _ request: FetchRequest<Model>,
        page: Int?,
        _ keeper: SectionKeeper<Model>?,
        _ retry: LiveRetry
    ) {
        self.client = client
        asked = request
        self.page = page.map { Swift.max($0, 1) }
        visibleCount = self.page
        self.keeper = keeper
        core = LiveCore(retry)
        core.begin(feed())
    }

    /// What is shown; another request takes its place, as in a search while one types.
    ///
    /// What was shown stays, and stays live, until the first result of the new request is there; ``lastChange`` then tells
    /// how the two differ. A result of a former request is never shown after that. With pages, the
    /// first page is shown again.
    public var request: FetchRequest<Model> {
        get {
            requestSignal.access()
            return asked
        }
        set {
            requestSignal.change {
                asked = newValue
                visibleCount = page
            }
            core.begin(feed())
        }
    }

    private func feed() -> LiveFeed<ResultContent<Model>> {
        guard let client else { return .failing(Self.withoutClient) }
        return .results(client.observe(visibleRequest), keeper)
    }

    private static var withoutClient: DBClientError {
        DBClientError(
            .unsupported,
            "What shows a request must have a client.",
            entity: Model.Storage.schema.entity.name,
            hint: "Set the client of the views with dbClient(_:)."
        )
    }

    // MARK: What is shown

    /// The values as they are now: a collection that never changes, and costs nothing to keep; empty until the first result
    /// is there.
    ///
    /// This is what a view gives to a list, which would take the object itself for the same as before.
    public var values: LiveList<Model> {
        core.contentSignal.access()
        return LiveList(core.content?.objects)
    }

    /// The values before the last change; empty before the second result.
    public var previous: LiveList<Model> {
        core.contentSignal.access()
        return LiveList(core.previous?.objects)
    }

    /// How ``values`` differ from ``previous``, for lists that animate; nil until the first result is there.
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

    // MARK: Pages

    /// The request with the limit of what is visible.
    private var visibleRequest: FetchRequest<Model> {
        guard let visibleCount else { return asked }
        // One that cannot be asked for fails in the observation.
        let limit = try? asked.rowQuery().limit
        return asked.limit(Swift.min(visibleCount, limit ?? visibleCount))
    }

    /// Whether there may be more values than the visible range has; false without pages.
    public var hasMore: Bool {
        // A wider range that has no more changes no value.
        core.stateSignal.access()
        guard let visibleCount, let limited = try? asked.rowQuery() else { return false }
        return count >= visibleCount && visibleCount < limited.limit ?? .max
    }

    /// Whether a wider range is being read.
    public var isLoadingMore: Bool {
        core.stateSignal.access()
        return core.isWidening
    }

    /// Widens the visible range by a page, or to twice its size if that is more; does nothing without pages, while the
    /// range is being widened, and when there is no more.
    ///
    /// The wider range is read as one, so that it is of one moment, and is at most twice as many values as are added:
    /// to scroll to any place costs in all what reading it twice does.
    public func loadMore() {
        guard let page, let visibleCount, hasMore, !core.isWidening, !core.state.isLoading else {
            return
        }
        let added = Swift.max(page, visibleCount)
        self.visibleCount = visibleCount > .max - added ? .max : visibleCount + added
        core.begin(feed(), isWider: true)
    }

    /// Widens the visible range if a position is in the last half page: to call for each row that appears.
    public func loadMore(after position: Int) {
        guard let page, position >= count - Swift.max(page / 2, 1) else { return }
        loadMore()
    }
}

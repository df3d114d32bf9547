#if canImport(SwiftUI)
public import DBClientCore
public import SwiftUI

/// The values of a request, as a property of a view that is drawn again when they change.
///
/// ```swift
/// struct HeroList: View {
///     @Live(Hero.where { $0.year > 1960 }.sorted { $0.name }) var heroes
///
///     var body: some View {
///         List(heroes, id: \.primaryKey) { Text($0.name) }
///             .overlay { if $heroes.state.isLoading { ProgressView() } }
///     }
/// }
/// ```
///
/// The client is that of the environment, which `dbClient(_:)` sets above the view; without one it is empty, and its state
/// says so. The projected value is the ``LiveResults``, whose request, pages and state are used in code:
/// `$heroes.request = …`. Where the view is made anew with another request, that one is shown.
@MainActor
@propertyWrapper
public struct Live<Model: StoredConvertible>: @preconcurrency DynamicProperty {
    @Environment(\.dbClient) private var client
    @State private var holder = LiveHolder<Model>()
    private let request: FetchRequest<Model>
    private let page: Int?

    /// Creates the property from a request and, for a list that grows as one scrolls, the size of its pages.
    public init<Request: FetchRequestConvertible<Model>>(_ request: Request, page: Int? = nil) {
        self.request = request.request
        self.page = page
    }

    /// Called before the view is drawn: takes the client and the request that there are now.
    public func update() {
        holder.show(request, page, client)
    }

    /// The values; empty until the first result is there.
    public var wrappedValue: LiveList<Model> { projectedValue.values }

    /// The object that follows the store.
    public var projectedValue: LiveResults<Model> { holder.results(request, page, client) }
}

/// Keeps what a view shows as long as the view is there.
@MainActor
final class LiveHolder<Model: StoredConvertible> {
    private var live: LiveResults<Model>?
    private var client: (any DBClient)?
    /// What the view asked for when it was last made.
    private var query: RowQuery?

    func show(_ request: FetchRequest<Model>, _ page: Int?, _ client: (any DBClient)?) {
        let query = try? request.rowQuery()
        guard let live, isSame(client) else {
            self.query = query
            self.client = client
            live = LiveResults(client, request, page: page, nil, .transient)
            return
        }
        if self.query == query { return }
        self.query = query
        live.request = request
    }

    func results(
        _ request: FetchRequest<Model>,
        _ page: Int?,
        _ client: (any DBClient)?
    ) -> LiveResults<Model> {
        if let live { return live }
        let made = LiveResults(client, request, page: page, nil, .transient)
        live = made
        self.client = client
        query = try? request.rowQuery()
        return made
    }

    private func isSame(_ client: (any DBClient)?) -> Bool {
        switch (self.client, client) {
        case (nil, nil): true
        case (let left?, let right?): left as AnyObject === right as AnyObject
        default: false
        }
    }
}
#endif

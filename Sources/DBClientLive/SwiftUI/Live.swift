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
        _ = holder.results(request, page, client)
    }

    /// The values; empty until the first result is there.
    public var wrappedValue: LiveList<Model> { projectedValue.values }

    /// The object that follows the store.
    public var projectedValue: LiveResults<Model> { holder.results(request, page, client) }
}
#endif

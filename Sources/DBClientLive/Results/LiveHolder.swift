import DBClientCore

/// Keeps the live object of a view that is made anew each time it is drawn.
@MainActor
final class LiveHolder<Model: StoredConvertible> {
    private var live: LiveResults<Model>?
    private var client: (any DBClient)?
    /// What the view asked for when it was last made; nil for what cannot be asked for.
    private var query: RowQuery?

    /// Returns the object for what a view asks for: a new one for another client, the same with another request.
    ///
    /// A request that code has set stays as long as the view asks for the same.
    func results(
        _ request: FetchRequest<Model>,
        _ page: Int?,
        _ client: (any DBClient)?
    ) -> LiveResults<Model> {
        let query = try? request.rowQuery()
        defer { self.query = query }
        if let live, isSame(client) {
            if self.query != query { live.request = request }
            return live
        }
        let made = LiveResults(client, request, page: page, nil, .transient)
        live = made
        self.client = client
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

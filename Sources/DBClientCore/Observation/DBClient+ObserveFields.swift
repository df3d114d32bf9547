extension DBClient {
    /// Returns the values of a request and then each change to them, but not changes of other fields
    /// than some.
    ///
    /// ```swift
    /// client.observe(marvel, fields: \.name, \.publisher)
    /// ```
    ///
    /// A value in which only other fields changed is no modification, and a change set of such alone is not
    /// delivered; `objects` has each value as it is. Values that come, go or move are delivered as always. A
    /// field that holds values changes when one of them does.
    ///
    /// For ``ChangeSet/sectioned(by:)`` name the fields that make the sections' key as well.
    public func observe<Request: FetchRequestConvertible>(
        _ request: Request,
        fields: any PartialKeyPath<Request.Model.Storage> & Sendable...
    ) -> ChangeStream<Request.Model> {
        var stream = ChangeStream<Request.Model>(source: observation, request: request.request)
        stream.fields = fields
        return stream
    }
}

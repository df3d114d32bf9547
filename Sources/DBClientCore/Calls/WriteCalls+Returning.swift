// Writing the values of a request, and returning them.
extension WriteCalls {
    /// Writes some fields of the values of a request, and returns the values as they are then, in the request's order.
    ///
    /// ```swift
    /// let taken = try client.blocking.updateReturning(Job.where { $0.worker == nil }.limit(10)) {
    ///     $0.set(\.worker, to: name)
    /// }
    /// ```
    ///
    /// The order is that of the values as they were before.
    public func updateReturning<Request: FetchRequestConvertible>(
        _ request: Request,
        _ assign: (inout Assignments<Request.Model>) throws -> Void
    ) throws -> [Request.Model] {
        try writing(asOneCall: true) {
            try Request.Model.mapping(in: $0).updateReturning(request.request, in: $0, assign)
        }
    }

    /// Deletes the values of a request, and returns them as they were, in the request's order.
    ///
    /// ```swift
    /// let expired = try client.blocking.deleteReturning(Session.where { $0.end < now })
    /// ```
    public func deleteReturning<Request: FetchRequestConvertible>(
        _ request: Request
    ) throws -> [Request.Model] {
        try writing(asOneCall: true) {
            try Request.Model.mapping(in: $0).deleteReturning(request.request, in: $0)
        }
    }
}

public import DBClientCore

extension DBClient {
    /// Returns the values of a request as an object that a view can hold.
    ///
    /// - Parameters:
    ///   - request: The request, which may be changed later (``LiveResults/request``).
    ///   - page: How many values are visible at first, and more after ``LiveResults/loadMore()``; nil for all values.
    ///   - retry: After which errors it begins anew by itself.
    /// - Returns: The object, which follows the store as long as it is kept.
    @MainActor
    public func live<Request: FetchRequestConvertible>(
        _ request: Request,
        page: Int? = nil,
        retry: LiveRetry = .transient
    ) -> LiveResults<Request.Model> {
        LiveResults(self, request.request, page: page, nil, retry)
    }

    /// Returns the values of a request in sections.
    ///
    /// - Parameters:
    ///   - request: The request, sorted by what makes the key.
    ///   - page: How many values are visible at first; nil for all.
    ///   - retry: After which errors it begins anew by itself.
    ///   - key: Makes the key of a value's section; called off the main actor.
    /// - Returns: The object, which follows the store as long as it is kept.
    @MainActor
    public func live<Request: FetchRequestConvertible, Key: Hashable & Sendable>(
        _ request: Request,
        page: Int? = nil,
        retry: LiveRetry = .transient,
        sections key: @escaping @Sendable (Request.Model) -> Key
    ) -> LiveSections<Key, Request.Model> {
        let keeper = LiveSections<Key, Request.Model>.keeper(key)
        return LiveSections(LiveResults(self, request.request, page: page, keeper, retry))
    }

    /// Returns the value with a primary key, nil while there is none.
    @MainActor
    public func live<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey,
        retry: LiveRetry = .transient
    ) -> LiveValue<Model?> {
        LiveValue(observe(type, key: key), initial: nil, retry: retry)
    }

    /// Returns the number of values of a request, its limit and offset applied; zero until it is counted.
    @MainActor
    public func liveCount<Request: FetchRequestConvertible>(
        _ request: Request,
        retry: LiveRetry = .transient
    ) -> LiveValue<Int> {
        LiveValue(observeCount(request), initial: 0, retry: retry)
    }

    /// Returns whether a request has any value; false until that is known.
    @MainActor
    public func liveExists<Request: FetchRequestConvertible>(
        _ request: Request,
        retry: LiveRetry = .transient
    ) -> LiveValue<Bool> {
        LiveValue(observeExists(request), initial: false, retry: retry)
    }

    /// Returns what a read finds, read again when values of a request were written.
    ///
    /// - Parameters:
    ///   - request: The values of which any that is written may change what is read.
    ///   - initial: What is shown until the first reading is done.
    ///   - retry: After which errors it begins anew by itself.
    ///   - read: Reads the value in a transaction, off the main actor.
    /// - Returns: The object, which follows the store as long as it is kept.
    @MainActor
    public func live<Request: FetchRequestConvertible, Value: Equatable & Sendable>(
        _ request: Request,
        initial: Value,
        retry: LiveRetry = .transient,
        _ read: @escaping @Sendable (ReadTransaction) throws -> Value
    ) -> LiveValue<Value> {
        LiveValue(observe(request, read), initial: initial, retry: retry)
    }
}

// Values that are observed by what is read for them.
extension DBClient {
    /// Returns what a body reads, and then each other value that it comes to.
    ///
    /// ```swift
    /// struct Sidebar: Equatable, Sendable { var open: Int, late: Int, lists: [TaskList] }
    ///
    /// for try await sidebar in client.observe({ transaction in
    ///     Sidebar(
    ///         open: try transaction.count(Task.where { !$0.isDone }),
    ///         late: try transaction.count(Task.where { $0.due < today }),
    ///         lists: try transaction.fetch(TaskList.all)
    ///     )
    /// }) { show(sidebar) }
    /// ```
    ///
    /// All that the body reads is of one snapshot, and what it reads is what it is observed by: the conditions of its
    /// requests, the keys that it finds, whatever it joins, counts, groups or loads with a value. It runs again after a
    /// commit, of this program or of another one, that wrote a row of these, once for several commits; other commits
    /// cost it a look at their rows. What goes through a relationship, a join or a tree, or is
    /// decided by a condition that can fail, depends on every row of the entities that it reaches.
    ///
    /// In the beginning, and whenever the body comes to read what it did not read before, it runs twice, since what was
    /// committed before the store knew of the observer is seen by reading alone. So it should read, and do nothing else.
    ///
    /// - Parameter read: Reads the value in a transaction. A statement of the engine's own, such as SQL, throws
    ///   `.unsupported` there: which rows it reads is not known.
    /// - Returns: The values that it takes.
    public func observe<Value: Equatable & Sendable>(
        _ read: @escaping @Sendable (ReadTransaction) throws -> Value
    ) -> ValueStream<Value> {
        let source = observation
        return ValueStream {
            try source.value(read) { $0 == $1 || isNoNumber($0) && isNoNumber($1) }
        }
    }

    /// Returns what a body reads as several values of one snapshot, and then each other tuple that it comes to.
    ///
    /// ```swift
    /// for try await (open, lists) in client.observe({
    ///     (try $0.count(Task.where { !$0.isDone }), try $0.fetch(TaskList.all))
    /// }) { show(open, lists) }
    /// ```
    ///
    /// It is observed as the other one is.
    public func observe<each Value: Equatable & Sendable>(
        _ read: @escaping @Sendable (ReadTransaction) throws -> (repeat each Value)
    ) -> ValueStream<(repeat each Value)> {
        let source = observation
        return ValueStream { try source.value(read, isSame: areSame) }
    }
}

/// Whether each value of a tuple is that of another one.
@Sendable
private func areSame<each Value: Equatable & Sendable>(
    _ left: (repeat each Value),
    _ right: (repeat each Value)
) -> Bool {
    for (left, right) in repeat (each left, each right) {
        guard left == right || isNoNumber(left) && isNoNumber(right) else { return false }
    }
    return true
}

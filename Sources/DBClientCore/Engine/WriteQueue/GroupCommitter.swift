/// The interface of an embedded engine whose callers share commits: one writer that is begun, committed and
/// rolled back as a whole.
///
/// Called by one thread at a time; a transaction stays on the thread that began it.
public protocol GroupCommitter: AnyObject, Sendable {
    /// Begins the write transaction and returns its writer.
    func begin() throws -> any EngineWriter
    /// Completes it with what the engine itself keeps, while it can still write; called before `commit`.
    ///
    /// - Parameters:
    ///   - writer: The transaction.
    ///   - units: What was done to the entities that are observed, here or in other processes
    ///     (``ChangeHub/capture(forOthers:)``), in order; nil when there were no observers as it began.
    /// - Throws: What makes the transaction fail.
    func prepare(_ writer: any EngineWriter, units: [CapturedUnit]?) throws
    /// Commits the transaction and makes it durable.
    func commit(_ writer: any EngineWriter) throws
    /// Undoes it. Called after a failed `commit` as well.
    func rollback(_ writer: any EngineWriter)
    /// Repairs what made a transaction fail, between transactions, such as a full map.
    ///
    /// The default repairs nothing.
    ///
    /// - Returns: What the units fail with; nil when they should run again.
    func recover(from error: any Error) -> (any Error)?
}

extension GroupCommitter {
    /// Returns the error unchanged, which is the default: nothing can be repaired.
    public func recover(from error: any Error) -> (any Error)? { error }

    /// Does nothing, which is the default.
    public func prepare(_ writer: any EngineWriter, units: [CapturedUnit]?) throws {}
}

/// A part of an operation without its types: what comes first, and what to do with its value.
///
/// The value that `source` makes is the one that `resume` takes; the generic functions of
/// `DBOperation` are the only ones that put nodes together, and keep that so. Unchecked because
/// `source` is changed, once and by the node's own release.
@usableFromInline
class OperationNode: @unchecked Sendable {
    /// The part that runs first; nil where this one takes no value.
    @exclusivity(unchecked) private(set) final var source: OperationNode?

    init(after source: OperationNode? = nil) {
        self.source = source
    }

    /// Takes the value of `source`, if there is one, and either puts this node's own or returns the
    /// node whose value it is.
    func resume(_ run: OperationRun) throws -> OperationNode? {
        throw DBClientError(.engine, "An operation has a part that does nothing.")
    }

    /// Returns the node whose value takes the place of the one that `source` should have made.
    ///
    /// - Throws: The error, where the node does not recover from it.
    func recover(from error: any Error) throws -> OperationNode {
        throw error
    }

    /// Lets a long chain go link by link, since a release of the first that releases the second, and
    /// so on, would need stack for each.
    deinit {
        guard source != nil else { return }
        var next = source.take()
        while isKnownUniquelyReferenced(&next) { next = next?.source.take() }
    }
}

/// A part that is a function: of the transaction or of the value before it.
///
/// What it does is made where the types are known, so a node itself has none: a generic class would cost
/// a look-up of its metadata for each step.
@usableFromInline
final class StepNode: OperationNode, @unchecked Sendable {
    @usableFromInline typealias Body = @Sendable (OperationRun) throws -> OperationNode?

    /// In a struct, because a function itself is wrapped anew where it is passed as a generic value, and
    /// would then be let go by the caller of `release`.
    private struct Work {
        let body: Body
    }

    @exclusivity(unchecked) private var work: Work?

    @usableFromInline
    init(after source: OperationNode? = nil, _ body: @escaping Body) {
        work = Work(body: body)
        super.init(after: source)
    }

    deinit { release(&work) }

    override func resume(_ run: OperationRun) throws -> OperationNode? {
        try work?.body(run)
    }
}

extension StepNode {
    /// Makes a node with a value.
    @inlinable
    convenience init<Value: Sendable>(value: Value) {
        self.init { run in run.put(value) }
    }

    /// Makes a node from the body of a transaction.
    @inlinable
    convenience init<Mode: Access, Value>(
        in mode: Mode.Type,
        _ body: @escaping @Sendable (Mode.Transaction) throws -> Value
    ) {
        self.init { run in run.put(try body(Mode.transaction(in: run.context))) }
    }

    /// Makes a node from a function of a value.
    @inlinable
    convenience init<Input, Output>(
        mapping source: OperationNode,
        _ transform: @escaping @Sendable (Input) throws -> Output
    ) {
        self.init(after: source) { run in run.put(try transform(run.take())) }
    }

    /// Makes a node from a function from a value to the operation that goes on.
    @inlinable
    convenience init<Input>(
        following source: OperationNode,
        _ transform: @escaping @Sendable (Input) throws -> OperationNode
    ) {
        self.init(after: source) { run in try transform(run.take()) }
    }
}

/// A part of an operation without its types: what comes first, and what to do with its value.
///
/// The value that `source` makes is the one that `resume` takes; the generic functions of
/// `DBOperation` are the only ones that put nodes together, and keep that so. Unchecked because
/// `source` is changed, once and by the node's own release.
class OperationNode: @unchecked Sendable {
    /// The part that runs first; nil where this one takes no value.
    private(set) final var source: OperationNode?

    init(after source: OperationNode? = nil) {
        self.source = source
    }

    /// Takes the value of `source`, if there is one, and either puts this node's own or returns the
    /// node whose value it is.
    func resume(_ run: OperationRun) throws -> OperationNode? {
        throw DBClientError(.engine, "An operation has a part that does nothing.")
    }

    /// Lets a long chain go link by link, since a release of the first that releases the second, and
    /// so on, would need stack for each.
    deinit {
        var next = source
        source = nil
        while isKnownUniquelyReferenced(&next), let owner = next {
            let following = owner.source
            owner.source = nil
            next = following
        }
    }
}

/// A value.
final class ValueNode<Value: Sendable>: OperationNode, @unchecked Sendable {
    private let value: Value

    init(_ value: Value) {
        self.value = value
        super.init()
    }

    override func resume(_ run: OperationRun) throws -> OperationNode? {
        run.put(value)
        return nil
    }
}

/// The body of a transaction.
final class BodyNode<Mode: Access, Value>: OperationNode, @unchecked Sendable {
    private var body: Step<Mode.Transaction, Value>?

    init(_ body: @escaping @Sendable (Mode.Transaction) throws -> Value) {
        self.body = Step(body)
        super.init()
    }

    deinit { release(&body) }

    override func resume(_ run: OperationRun) throws -> OperationNode? {
        guard let body else { return nil }
        run.put(try body.call(Mode.transaction(in: run.context)))
        return nil
    }
}

/// A function of a value.
final class MapNode<Input, Output>: OperationNode, @unchecked Sendable {
    private var transform: Step<Input, Output>?

    init(_ source: OperationNode, _ transform: @escaping @Sendable (Input) throws -> Output) {
        self.transform = Step(transform)
        super.init(after: source)
    }

    deinit { release(&transform) }

    override func resume(_ run: OperationRun) throws -> OperationNode? {
        guard let transform else { return nil }
        run.put(try transform.call(run.take()))
        return nil
    }
}

/// A function from a value to the operation that goes on.
final class FlatMapNode<Input>: OperationNode, @unchecked Sendable {
    private var transform: Step<Input, OperationNode>?

    init(
        _ source: OperationNode,
        _ transform: @escaping @Sendable (Input) throws -> OperationNode
    ) {
        self.transform = Step(transform)
        super.init(after: source)
    }

    deinit { release(&transform) }

    override func resume(_ run: OperationRun) throws -> OperationNode? {
        try transform?.call(run.take())
    }
}

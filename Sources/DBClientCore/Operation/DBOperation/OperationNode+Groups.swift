/// Runs two operations one after the other, and has the values of both.
final class PairNode<First, Second>: OperationNode, @unchecked Sendable {
    @exclusivity(unchecked) private var second: OperationPart?

    init(_ first: OperationPart, _ second: OperationPart) {
        self.second = second
        super.init(after: first)
    }

    deinit { release(&second) }

    override func resume(_ run: OperationRun) throws -> OperationPart? {
        guard let second else { return nil }
        let first: First = run.take()
        return run.put((first, try run.evaluate(second, as: Second.self)))
    }
}

/// The values of an operation for each element.
final class EachNode<Input: Sendable, Element>: OperationNode, @unchecked Sendable {
    @exclusivity(unchecked) private var elements: [Input]?
    @exclusivity(unchecked) private var transform: Step<Input, OperationPart>?

    init(
        _ elements: [Input],
        _ transform: @escaping @Sendable (Input) throws -> OperationPart
    ) {
        self.elements = elements
        self.transform = Step(transform)
        super.init()
    }

    deinit {
        release(&elements)
        release(&transform)
    }

    override func resume(_ run: OperationRun) throws -> OperationPart? {
        guard let elements, let transform else { return nil }
        var values: [Element] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            values.append(try run.evaluate(transform.call(element), as: Element.self))
        }
        return run.put(values)
    }
}

/// An operation that undoes nothing, and what to do when it throws: a part of the chain.
final class RecoveryNode: OperationNode, @unchecked Sendable {
    @exclusivity(unchecked) private var handler: Step<any Error, OperationPart>?

    init(
        _ protected: OperationPart,
        _ handler: @escaping @Sendable (any Error) throws -> OperationPart
    ) {
        self.handler = Step(handler)
        super.init(after: protected)
    }

    deinit { release(&handler) }

    /// Leaves the value where the next one takes it.
    override func resume(_ run: OperationRun) throws -> OperationPart? { nil }

    override func recover(from error: any Error) throws -> OperationPart {
        guard let handler else { throw error }
        return try handler.call(error)
    }
}

/// An operation that is undone when it throws, and what to do then.
final class SavepointNode<Value>: OperationNode, @unchecked Sendable {
    @exclusivity(unchecked) private var protected: OperationPart?
    @exclusivity(unchecked) private var handler: Step<any Error, OperationPart>?

    init(
        _ protected: OperationPart,
        _ handler: @escaping @Sendable (any Error) throws -> OperationPart
    ) {
        self.protected = protected
        self.handler = Step(handler)
        super.init()
    }

    deinit {
        release(&protected)
        release(&handler)
    }

    override func resume(_ run: OperationRun) throws -> OperationPart? {
        guard let protected, let handler else { return nil }
        do {
            let value: Value = try run.writer().write { nested in
                try run.nested(in: OperationContext(nested)).evaluate(protected)
            }
            return run.put(value)
        } catch {
            return try handler.call(error)
        }
    }
}

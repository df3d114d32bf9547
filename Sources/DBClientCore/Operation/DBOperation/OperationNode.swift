/// A part of an operation without its types.
///
/// The value that one part makes is the one that the next takes; the generic functions of `DBOperation`
/// are the only ones that put parts together, and keep that so.
@usableFromInline
enum OperationPart: Sendable {
    @usableFromInline typealias Body = @Sendable (OperationRun) throws -> OperationPart?

    /// A function that holds no other part: it puts a value, or returns the part whose value it is.
    case step(Body)
    /// A part that may hold others.
    case node(OperationNode)
}

extension OperationPart {
    /// Makes a part from a function that may hold others.
    @inlinable
    init(body: @escaping Body) {
        self = .node(StepNode(body))
    }

    /// Makes a part from a function of what another makes.
    @inlinable
    init(after source: OperationPart, _ body: @escaping Body) {
        self = .node(StepNode(after: source, body))
    }
}

/// A part of an operation that holds others: what comes first, and what to do with its value.
///
/// Unchecked because `source` is changed, once and by the node's own release.
@usableFromInline
class OperationNode: @unchecked Sendable {
    /// The part that runs first; nil where this one takes no value.
    @exclusivity(unchecked) private(set) final var source: OperationPart?

    init(after source: OperationPart? = nil) {
        self.source = source
    }

    /// Takes the value of `source`, if there is one, and either puts this node's own or returns the
    /// part whose value it is.
    func resume(_ run: OperationRun) throws -> OperationPart? {
        throw DBClientError(.engine, "Each part of an operation must have something to do.")
    }

    /// Returns the part whose value takes the place of the one that `source` should have made.
    ///
    /// - Throws: The error, where the node does not recover from it.
    func recover(from error: any Error) throws -> OperationPart {
        throw error
    }

    /// Lets a long chain go link by link, since a release of the first that releases the second, and
    /// so on, would need stack for each.
    deinit {
        guard case .node(let first) = source.take() else { return }
        var next: OperationNode? = consume first
        while isKnownUniquelyReferenced(&next) {
            guard case .node(let source) = next?.source.take() else { return }
            next = source
        }
    }
}

/// A node that is a function: of the transaction or of the value before it.
///
/// What it does is made where the types are known, so a node itself has none: a generic class would cost
/// a look-up of its metadata for each step.
@usableFromInline
final class StepNode: OperationNode, @unchecked Sendable {
    /// In a struct, because a function itself is wrapped again where it is passed as a generic value, and
    /// would then be released by the caller of `release`.
    private struct Work {
        let body: OperationPart.Body
    }

    @exclusivity(unchecked) private var work: Work?

    @usableFromInline
    init(after source: OperationPart? = nil, _ body: @escaping OperationPart.Body) {
        work = Work(body: body)
        super.init(after: source)
    }

    deinit { release(&work) }

    override func resume(_ run: OperationRun) throws -> OperationPart? {
        try work?.body(run)
    }
}

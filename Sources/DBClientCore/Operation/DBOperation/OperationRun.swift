/// One run of an operation in a transaction.
///
/// A loop over nodes with a stack of its own, so that neither a chain of a hundred thousand steps nor
/// a recursion as deep needs more of the thread's stack than one step. The value on its way from one
/// node to the next is in memory that is reused, typed by the nodes on both sides of it, so a step
/// allocates nothing.
@usableFromInline
final class OperationRun {
    @usableFromInline let context: OperationContext
    private let depth: Int
    @exclusivity(unchecked) private var level = 0
    /// The nodes that wait for the value of the one that runs, innermost last.
    @exclusivity(unchecked) private var waiting: [OperationNode] = []
    @exclusivity(unchecked) @usableFromInline var place: UnsafeMutableRawPointer
    @exclusivity(unchecked) @usableFromInline var size = 64
    @exclusivity(unchecked) @usableFromInline var alignment = 16

    /// How deep savepoints, pairs and sequences may be nested: these do take stack, and a thread of the
    /// cooperative pool has half a megabyte.
    private static let maximumDepth = 128

    init(_ context: OperationContext, depth: Int = 0) {
        self.context = context
        self.depth = depth
        place = .allocate(byteCount: size, alignment: alignment)
        waiting.reserveCapacity(16)
    }

    deinit {
        place.deallocate()
    }

    /// Returns a run in a savepoint of this one's transaction.
    func nested(in context: OperationContext) -> OperationRun {
        OperationRun(context, depth: depth + level)
    }

    /// Runs a part and returns its value.
    func evaluate<Value>(_ root: OperationPart, as type: Value.Type = Value.self) throws -> Value {
        guard depth + level < Self.maximumDepth else {
            throw DBClientError(
                .invalidRequest,
                "Groups and savepoints of operations must be nested at most"
                    + " \(Self.maximumDepth) deep.",
                hint: "Chain them with flatMap, which may be of any length."
            )
        }
        level += 1
        defer { level -= 1 }
        let base = waiting.count
        var next: OperationPart? = root
        while true {
            do {
                while true {
                    switch next {
                    case .step(let body):
                        next = try body(self)
                    case .node(let node):
                        if let source = node.source {
                            waiting.append(node)
                            next = source
                        } else {
                            next = try node.resume(self)
                        }
                    case nil:
                        guard waiting.count > base else { return take() }
                        next = try waiting.removeLast().resume(self)
                    }
                }
            } catch {
                next = try replacement(after: error, above: base)
            }
        }
    }

    /// Returns the part that continues after an error: that of the innermost node that waits and recovers.
    private func replacement(after error: any Error, above base: Int) throws -> OperationPart {
        var error = error
        while waiting.count > base {
            do {
                return try waiting.removeLast().recover(from: error)
            } catch let other {
                error = other
            }
        }
        throw error
    }

    @inlinable var reader: ReadTransaction { context.reader }

    /// Returns what writes.
    ///
    /// - Throws: `.readOnly` when the transaction only reads.
    @inlinable
    func writer() throws -> WriteTransaction {
        try ReadWrite.transaction(in: context)
    }

    /// Puts the value of a part where the next one takes it, and returns that nothing continues from here.
    @inlinable
    func put<Value>(_ value: Value) -> OperationPart? {
        if MemoryLayout<Value>.size > size || MemoryLayout<Value>.alignment > alignment {
            grow(MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
        }
        place.initializeMemory(as: Value.self, to: value)
        return nil
    }

    /// Takes the value that the part before has put.
    @inlinable
    func take<Value>() -> Value {
        place.assumingMemoryBound(to: Value.self).move()
    }

    @usableFromInline
    func grow(_ size: Int, _ alignment: Int) {
        place.deallocate()
        self.size = max(self.size, size)
        self.alignment = max(self.alignment, alignment)
        place = .allocate(byteCount: self.size, alignment: self.alignment)
    }
}

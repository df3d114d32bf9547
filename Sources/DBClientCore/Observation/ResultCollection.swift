/// The values of an observed request at one moment: a collection that never changes.
///
/// Holding one is cheap, however many changes follow: versions share what they have in common. An
/// element is found in a time that grows with the logarithm of the count.
public struct ResultCollection<Model: StoredConvertible>: RandomAccessCollection, Sendable {
    let version: ResultVersion

    init(_ version: ResultVersion) {
        self.version = version
    }

    /// The position of the first value, always zero.
    public var startIndex: Int { 0 }
    /// The position after the last value, which is the number of values.
    public var endIndex: Int { version.range.count }

    /// The value at a position from zero; traps outside of the collection.
    public subscript(position: Int) -> Model {
        // Through the range, which a generic collection would have to be asked for.
        precondition(
            position >= 0 && position < version.range.count,
            "The position must be within the collection."
        )
        return Self.model(of: version.tree[version.range.lowerBound + position])
    }

    /// Returns an iterator that steps from value to value without a search.
    public func makeIterator() -> Iterator {
        Iterator(walk: ResultWalk(version.tree, version.range))
    }

    /// Goes through the values in order.
    public struct Iterator: IteratorProtocol {
        fileprivate var walk: ResultWalk

        /// Returns the next value, or nil after the last.
        public mutating func next() -> Model? {
            while true {
                switch walk.item {
                case .node: walk.descend()
                case .entry(let entry):
                    walk.advance()
                    return ResultCollection.model(of: entry)
                case .end: return nil
                }
            }
        }
    }

    static func model(of entry: ResultEntry) -> Model {
        unsafeDowncast(entry, to: ModelEntry<Model>.self).model
    }
}

extension ResultCollection: Equatable where Model: Equatable {
    /// Returns whether both have equal values in the same order.
    public static func == (left: ResultCollection, right: ResultCollection) -> Bool {
        left.version === right.version || left.elementsEqual(right)
    }
}

extension ResultCollection: CustomStringConvertible {
    /// The values, as an array describes them.
    public var description: String { Array(self).description }
}

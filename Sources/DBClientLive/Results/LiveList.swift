public import DBClientCore

/// The values that a live object shows at one moment: a collection that never changes.
///
/// It costs nothing to keep, however many values it has, and an element is found in a time that grows with the logarithm of
/// their number. A view hands it to a list: `List(heroes.values, id: \.primaryKey)`.
public struct LiveList<Model: StoredConvertible>: RandomAccessCollection, Sendable {
    /// The values as they were read; nil before the first result.
    let objects: ResultCollection<Model>?

    init(_ objects: ResultCollection<Model>?) {
        self.objects = objects
    }

    /// The position of the first value, always zero.
    public var startIndex: Int { 0 }
    /// The position after the last value, which is the number of values.
    public var endIndex: Int { objects?.count ?? 0 }

    /// The value at a position from zero; traps outside of the collection.
    public subscript(position: Int) -> Model {
        guard let objects else {
            preconditionFailure("The position must be within the collection.")
        }
        return objects[position]
    }

    /// Returns an iterator that steps from value to value without a search.
    public func makeIterator() -> Iterator {
        Iterator(base: objects?.makeIterator())
    }

    /// Goes through the values in order.
    public struct Iterator: IteratorProtocol {
        fileprivate var base: ResultCollection<Model>.Iterator?

        /// Returns the next value, or nil after the last.
        public mutating func next() -> Model? { base?.next() }
    }
}

extension LiveList: Equatable where Model: Equatable {
    /// Returns whether both have equal values in the same order.
    public static func == (left: LiveList, right: LiveList) -> Bool {
        guard let first = left.objects, let second = right.objects else {
            return left.isEmpty && right.isEmpty
        }
        return first == second
    }
}

extension LiveList: CustomStringConvertible {
    /// The values, as an array describes them.
    public var description: String { Array(self).description }
}

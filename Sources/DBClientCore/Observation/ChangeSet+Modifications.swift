extension ChangeSet {
    /// A value with the same primary key that differs from the former one, and its two positions.
    public struct Modification: Sendable {
        /// The position in the former values.
        public let old: Int
        /// The position in the present values.
        public let new: Int
        /// The value as it is now.
        public let element: Model

        /// Creates a modification from both positions and the value after the change.
        public init(old: Int, new: Int, element: Model) {
            self.old = old
            self.new = new
            self.element = element
        }
    }

    /// The values that have changed, each made of the change when it is asked for.
    public struct Modifications: RandomAccessCollection, Sendable {
        private let changes: [ResultDifference.Modification]

        init(_ changes: [ResultDifference.Modification]) {
            self.changes = changes
        }

        /// The index of the first modification, always zero.
        public var startIndex: Int { 0 }
        /// The index after the last modification, which is their number.
        public var endIndex: Int { changes.count }

        /// The modification at an index, in ascending order of the present positions.
        public subscript(index: Int) -> Modification {
            let change = changes[index]
            return Modification(
                old: change.old,
                new: change.new,
                element: ResultCollection.model(of: change.entry)
            )
        }
    }
}

extension ChangeSet.Modification: Equatable where Model: Equatable {}

extension ChangeSet.Modifications: Equatable where Model: Equatable {
    /// Returns whether both have equal changes in the same order.
    public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}

extension ChangeSet.Modifications: CustomStringConvertible {
    /// The changes, as an array describes them.
    public var description: String { Array(self).description }
}

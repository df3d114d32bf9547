public import DBClientCore

/// The values of one key in a row: a collection that never changes.
public struct LiveSection<
    Key: Hashable & Sendable,
    Model: StoredConvertible
>: RandomAccessCollection, Identifiable, Sendable {
    /// The key that the values have in common.
    public let key: Key
    /// The values of all sections, of which ``range`` is this one's.
    private let objects: ResultCollection<Model>
    /// Where the section's values stand among all.
    public let range: Range<Int>

    init(key: Key, objects: ResultCollection<Model>, range: Range<Int>) {
        self.key = key
        self.objects = objects
        self.range = range
    }

    /// The key, by which a list tells sections apart.
    public var id: Key { key }

    /// The position of the first value, always zero.
    public var startIndex: Int { 0 }
    /// The position after the last value, which is the number of values in the section.
    public var endIndex: Int { range.count }
    /// The value at a position in the section.
    public subscript(position: Int) -> Model {
        precondition(
            position >= 0 && position < range.count,
            "The position must be within the section."
        )
        return objects[range.lowerBound + position]
    }
}

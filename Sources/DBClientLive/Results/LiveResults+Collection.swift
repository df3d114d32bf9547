import DBClientCore

// The members of a collection, which hold for every compiler.
extension LiveResults {
    /// The position of the first value, always zero.
    public var startIndex: Int { 0 }

    /// The position after the last value, which is the number of values; zero until the first result is there.
    public var endIndex: Int {
        core.contentSignal.access()
        return core.content?.objects.count ?? 0
    }

    /// The number of values; zero until the first result is there.
    public var count: Int { endIndex }

    /// Whether there is no value; true until the first result is there.
    public var isEmpty: Bool { endIndex == 0 }

    /// The value at a position from zero; traps outside of the collection.
    public subscript(position: Int) -> Model {
        values[position]
    }

    /// Returns an iterator over the values as they are now.
    public func makeIterator() -> LiveList<Model>.Iterator { values.makeIterator() }
}

#if compiler(>=6.2)
// Isolated: whatever is generic over collections takes it on the main actor, and nowhere else.
extension LiveResults: @MainActor RandomAccessCollection {}
#endif

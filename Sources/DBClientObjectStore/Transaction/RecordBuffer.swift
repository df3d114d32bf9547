/// Memory in which one record after another is encoded, and which grows with the longest.
struct RecordBuffer {
    private(set) var start = UnsafeMutableRawPointer.allocate(byteCount: 1024, alignment: 8)
    private var capacity = 1024

    /// Makes room for a record of a size.
    mutating func reserve(_ size: Int) -> UnsafeMutableRawPointer {
        if size > capacity {
            start.deallocate()
            capacity = max(size, capacity * 2)
            start = .allocate(byteCount: capacity, alignment: 8)
        }
        return start
    }

    func deallocate() {
        start.deallocate()
    }
}

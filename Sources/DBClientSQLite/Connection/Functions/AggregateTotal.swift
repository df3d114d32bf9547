import GRDBSQLite

/// What the values of a group add up to.
///
/// The memory that SQLite keeps for a group holds a reference to it. SQLite ends every group that it
/// began, also where a statement fails.
final class AggregateTotal<Sum> {
    @exclusivity(unchecked) var sum: Sum
    @exclusivity(unchecked) var count = 0

    private init(_ sum: Sum) {
        self.sum = sum
    }

    /// Returns the total of a group, made with its first value; nil where there is no memory.
    @inline(__always)
    static func of(_ context: OpaquePointer?, _ sum: @autoclosure () -> Sum) -> AggregateTotal? {
        guard let place = place(context, size: MemoryLayout<UnsafeRawPointer?>.size) else {
            return nil
        }
        if let held = place.pointee {
            return Unmanaged<AggregateTotal>.fromOpaque(held).takeUnretainedValue()
        }
        let total = AggregateTotal(sum())
        place.pointee = UnsafeRawPointer(Unmanaged.passRetained(total).toOpaque())
        return total
    }

    /// Returns the total of a group that ends and releases the context's hold on it; nil where there was no value.
    static func take(from context: OpaquePointer?) -> AggregateTotal? {
        guard let held = place(context, size: 0)?.pointee else { return nil }
        return Unmanaged<AggregateTotal>.fromOpaque(held).takeRetainedValue()
    }

    private static func place(
        _ context: OpaquePointer?,
        size: Int
    ) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
        sqlite3_aggregate_context(context, Int32(size))?
            .assumingMemoryBound(to: UnsafeRawPointer?.self)
    }
}

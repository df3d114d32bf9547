import CLMDB
import DBClientCore

extension MDB_val {
    /// The bytes that the value points to.
    @inline(__always)
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: mv_data, count: mv_size)
    }

    /// A view of bytes that outlive it.
    ///
    /// LMDB never writes through a key or value that it is given.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(
            mv_size: bytes.count,
            mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        )
    }

    /// A view of memory that outlives it.
    @inline(__always)
    init(_ start: UnsafeMutableRawPointer, _ count: Int) {
        self.init(mv_size: count, mv_data: start)
    }
}

/// Compares keys as LMDB does: byte by byte, and the shorter first where it begins the other.
@inline(__always)
func compareKeys(
    _ left: UnsafeRawBufferPointer,
    _ right: UnsafeRawBufferPointer
) -> Int {
    Slot.compare(.data(left), .data(right))
}

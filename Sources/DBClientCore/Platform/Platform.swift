// The one place where the C libraries' names differ.
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Returns whether a byte is among `count` bytes.
func platformFindByte(_ byte: UInt8, in start: UnsafeRawPointer, count: Int) -> Bool {
    memchr(start, Int32(byte), count) != nil
}

/// Compares bytes as unsigned numbers, a prefix before what it begins.
@usableFromInline
package func compareBytes(
    _ left: UnsafeRawBufferPointer,
    _ right: UnsafeRawBufferPointer
) -> Int {
    let common = min(left.count, right.count)
    if common > 0, let first = left.baseAddress, let second = right.baseAddress {
        let order = memcmp(first, second, common)
        if order != 0 { return Int(order) }
    }
    return left.count - right.count
}

/// Overwrites bytes with zeros, in a way that the compiler does not leave out.
package func overwriteBytes(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    #if canImport(Darwin)
    memset_s(start, bytes.count, 0, bytes.count)
    #else
    explicit_bzero(start, bytes.count)
    #endif
}

/// Returns a number that identifies the running thread.
package func currentThread() -> UInt {
    #if canImport(Glibc)
    UInt(pthread_self())
    #else
    UInt(bitPattern: pthread_self())
    #endif
}

/// A pointer of each thread's own.
struct ThreadSlot: Sendable {
    /// The innermost transaction that is running on the thread.
    static let frames = ThreadSlot()
    #if canImport(Darwin)
    typealias Destructor = @convention(c) (UnsafeMutableRawPointer) -> Void
    #else
    typealias Destructor = @convention(c) (UnsafeMutableRawPointer?) -> Void
    #endif

    private let key: pthread_key_t

    /// Whether a transaction of any engine is running on this thread.
    static var hasTransaction: Bool { frames.get() != nil }

    /// Makes a slot; what is in it when a thread ends is given to `destructor`.
    init(_ destructor: Destructor? = nil) {
        var key = pthread_key_t()
        // Fails only when the process is out of keys or memory at start; then every thread reads nil
        // and nested transactions are not recognised.
        pthread_key_create(&key, destructor)
        self.key = key
    }

    @inline(__always)
    func get() -> UnsafeMutableRawPointer? {
        pthread_getspecific(key)
    }

    @inline(__always)
    func set(_ pointer: UnsafeMutableRawPointer?) {
        pthread_setspecific(key, pointer)
    }
}

/// Returns whether bytes have others in them.
///
/// `memmem` is not everywhere, so the first byte is looked for with `memchr`.
func platformFind(_ needle: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = needle.baseAddress, let start = bytes.baseAddress else {
        return needle.isEmpty
    }
    var position = start
    let last = start + (bytes.count - needle.count)
    while position <= last,
        let found = memchr(position, Int32(needle[0]), last - position + 1)
    {
        if memcmp(found, first, needle.count) == 0 { return true }
        position = UnsafeRawPointer(found) + 1
    }
    return false
}

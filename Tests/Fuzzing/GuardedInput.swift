import Foundation

/// Memory for inputs, each of which ends where memory ends, so that reading a byte behind it ends the process.
///
/// Used by one thread.
final class GuardedInput {
    /// The longest input.
    static let capacity = 1 << 16

    private let memory: UnsafeMutableRawPointer
    private let size: Int
    private let end: Int

    init() throws {
        let page = sysconf(Int32(_SC_PAGESIZE))
        end = (Self.capacity + page - 1) / page * page
        size = end + page
        let protection = PROT_READ | PROT_WRITE
        guard
            let found = mmap(nil, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            found != MAP_FAILED
        else { throw FuzzFinding("There is no memory for inputs.") }
        memory = found
        guard mprotect(found + end, page, PROT_NONE) == 0 else {
            throw FuzzFinding("Memory cannot be guarded.")
        }
    }

    deinit {
        munmap(memory, size)
    }

    /// Returns the memory of an input, which is cut where it is too long.
    func place(_ input: UnsafeRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        let count = min(input.count, Self.capacity)
        let start = memory + (end - count)
        if let source = input.baseAddress { start.copyMemory(from: source, byteCount: count) }
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }
}

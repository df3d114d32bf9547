import Foundation
import Synchronization

/// Writes the input that was being decoded when the process died of a signal.
enum CrashNote {
    private static let deadly = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]
    private static let start = Atomic<UInt>(0)
    private static let count = Atomic<Int>(0)

    /// Has the note written for as long as a function runs.
    ///
    /// For one thread at a time.
    static func withHandlers<Result>(_ body: () throws -> Result) rethrows -> Result {
        start.store(0, ordering: .relaxed)
        let before = deadly.map { number in
            signal(number) { number in
                CrashNote.write()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        defer { for (number, handler) in zip(deadly, before) { signal(number, handler) } }
        return try body()
    }

    /// Says what is decoded next.
    ///
    /// It must live until the next call.
    static func begin(_ input: UnsafeMutableRawBufferPointer) {
        start.store(UInt(bitPattern: input.baseAddress), ordering: .relaxed)
        count.store(input.count, ordering: .relaxed)
    }

    /// Writes without allocating, as a handler of signals must.
    private static func write() {
        guard let bytes = UnsafeRawPointer(bitPattern: start.load(ordering: .relaxed)) else {
            return
        }
        put("\nFUZZ input ")
        for offset in 0..<count.load(ordering: .relaxed) {
            let byte = bytes.load(fromByteOffset: offset, as: UInt8.self)
            put(digit(byte >> 4))
            put(digit(byte & 15))
        }
        put("\n")
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }

    private static func put(_ byte: UInt8) {
        var byte = byte
        _ = Foundation.write(STDERR_FILENO, &byte, 1)
    }

    private static func put(_ text: StaticString) {
        _ = Foundation.write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}

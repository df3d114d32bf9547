import Foundation

/// Gathers what a read transaction writes to a file, and takes it back where the transaction runs again.
///
/// One thread at a time writes: that of the transaction.
final class BufferedOutput: @unchecked Sendable {
    private let file: FileHandle
    private var buffer: [UInt8] = []
    /// Whether something was written that only a file takes back.
    private var hasWritten = false
    private let start: UInt64?
    private static let limit = 1 << 16

    init(_ file: FileHandle) {
        self.file = file
        start = try? file.offset()
    }

    /// Begins, or begins again.
    ///
    /// - Throws: ``ToolError`` where what was written cannot be taken back.
    func begin() throws {
        buffer.removeAll(keepingCapacity: true)
        if hasWritten {
            guard let start, (try? file.truncate(atOffset: start)) != nil else {
                throw ToolError(
                    "The read had to begin again, and the output cannot be taken back.",
                    hint: "Run it again, or write to a file."
                )
            }
        }
        hasWritten = false
    }

    func write(_ text: String) throws {
        buffer += text.utf8
        if buffer.count >= Self.limit { try flush() }
    }

    func flush() throws {
        hasWritten = true
        try file.write(contentsOf: Data(buffer))
        buffer.removeAll(keepingCapacity: true)
    }
}

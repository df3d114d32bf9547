import Foundation

/// Reads a file byte by byte, with some kilobytes of it in memory.
final class ByteReader {
    private let file: FileHandle
    private var buffer = Data()
    private var position = 0
    private var isAtEnd = false
    private var isAtStart = true
    private static let chunk = 1 << 16

    /// The most bytes of a line.
    private static let maximumLine = 1 << 30

    init(_ file: FileHandle) {
        self.file = file
    }

    /// Returns the next byte and leaves it; nil at the end.
    func peek() throws -> UInt8? {
        if position == buffer.count {
            if isAtEnd { return nil }
            buffer = try file.read(upToCount: Self.chunk) ?? Data()
            position = 0
            if isAtStart { try skipMark() }
            isAtEnd = position == buffer.count
            if isAtEnd { return nil }
        }
        return buffer[buffer.startIndex + position]
    }

    /// Skips the mark that some programs begin a text of UTF-8 with.
    private func skipMark() throws {
        isAtStart = false
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        while buffer.count < mark.count, let more = try file.read(upToCount: Self.chunk),
            !more.isEmpty
        {
            buffer += more
        }
        guard buffer.starts(with: mark) else { return }
        position = mark.count
        if position == buffer.count {
            buffer = try file.read(upToCount: Self.chunk) ?? Data()
            position = 0
        }
    }

    /// Takes the next byte; nil at the end.
    func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        return byte
    }

    /// Takes the next line, without its break; nil at the end.
    func nextLine() throws -> [UInt8]? {
        guard try peek() != nil else { return nil }
        var line: [UInt8] = []
        while try peek() != nil {
            let rest = buffer[(buffer.startIndex + position)...]
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                position = end - buffer.startIndex + 1
                break
            }
            line += rest
            position = buffer.count
            guard line.count <= Self.maximumLine else {
                throw ToolError("A line must have at most \(Self.maximumLine) bytes.")
            }
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
    }
}

import Foundation

/// Rows as comma-separated values by RFC 4180; nothing between two commas is an absent value, and two quotes are
/// empty text.
enum CSV {
    /// Returns a row with its line break.
    static func line(_ values: [String?]) -> String {
        values.map { $0.map(quoted) ?? "" }.joined(separator: ",") + "\r\n"
    }

    private static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && !text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
            && text.utf8.first != 0x20 && text.utf8.last != 0x20
        if isPlain { return text }
        // By scalars, since a quote and a mark after it are one character.
        var result: String.UnicodeScalarView = "\"".unicodeScalars
        for scalar in text.unicodeScalars {
            if scalar == "\"" { result.append(scalar) }
            result.append(scalar)
        }
        result.append("\"")
        return String(result)
    }
}

/// Reads comma-separated values, a row at a time.
struct CSVReader {
    private let input: ByteReader
    /// The number of the line on which the last row began.
    private(set) var line = 0
    private var nextLine = 1

    init(_ input: ByteReader) {
        self.input = input
    }

    /// Returns the next row; nil at the end.
    ///
    /// - Throws: ``ToolError`` for an end within quotes, for what follows them, and for text that is not UTF-8.
    mutating func next() throws -> [String?]? {
        guard try input.peek() != nil else { return nil }
        line = nextLine
        var row: [String?] = []
        var value: [UInt8] = []
        var isQuoted = false
        func text() throws -> String? {
            if value.isEmpty && !isQuoted { return nil }
            guard let text = String(validating: value, as: UTF8.self) else {
                throw ToolError("Line \(line), column \(row.count + 1): the text must be UTF-8.")
            }
            return text
        }
        while true {
            switch try input.next() {
            case UInt8(ascii: "\"") where value.isEmpty && !isQuoted:
                isQuoted = true
                try readQuoted(into: &value, column: row.count + 1)
            case UInt8(ascii: ","):
                row.append(try text())
                value = []
                isQuoted = false
            case UInt8(ascii: "\r"):
                if try input.peek() == UInt8(ascii: "\n") { continue }
                fallthrough
            case UInt8(ascii: "\n"), nil:
                nextLine += 1
                row.append(try text())
                return row
            case let byte?:
                if isQuoted {
                    throw ToolError(
                        "Line \(line), column \(row.count + 1): a comma must follow the closing quote."
                    )
                }
                value.append(byte)
            }
        }
    }

    private mutating func readQuoted(into value: inout [UInt8], column: Int) throws {
        while let byte = try input.next() {
            if byte == UInt8(ascii: "\"") {
                guard try input.peek() == UInt8(ascii: "\"") else { return }
                _ = try input.next()
            }
            if byte == UInt8(ascii: "\n") { nextLine += 1 }
            value.append(byte)
        }
        throw ToolError("Line \(line), column \(column): the file ends within quotes.")
    }
}

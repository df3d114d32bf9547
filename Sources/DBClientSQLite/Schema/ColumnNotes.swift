import DBClientSQL

/// What the columns of a table were written as, by the comments of its declaration.
///
/// The client writes one between the name of each column that it makes and its type:
/// `"born" /* dbclient date? */ INTEGER`. SQLite keeps the text of a declaration, so the comment stays with its column
/// when another program renames it, and is dropped with the column or the table.
struct ColumnNotes {
    private static let mark = "dbclient "
    private var notes: [[UInt8]: WrittenField] = [:]

    /// Returns the comment of a column.
    static func text(of field: WrittenField) -> String { "/* \(mark)\(field.note) */" }

    /// Reads the notes from the columns of a table's declaration.
    init(_ declaration: UnsafeRawBufferPointer) {
        var scanner = DeclarationScanner(declaration)
        while let (name, comment) = scanner.nextColumn() {
            guard comment.starts(with: Self.mark.utf8) else { continue }
            let note = String(decoding: comment.dropFirst(Self.mark.utf8.count), as: UTF8.self)
            notes[name] = WrittenField(note)
        }
    }

    /// Returns what a column was written as, if that is noted.
    subscript(column: String) -> WrittenField? { notes[Array(column.utf8)] }
}

/// Finds the columns of a declaration that have a comment after their names.
private struct DeclarationScanner {
    private let text: UnsafeRawBufferPointer
    private var position = 0
    private var depth = 0
    private var isAtStart = false

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        position + offset < text.count ? text[position + offset] : nil
    }

    /// Returns the next column with a comment, and the comment without the blanks around it.
    mutating func nextColumn() -> (name: [UInt8], comment: [UInt8])? {
        while let next = byte() {
            if let end = Self.end(ofQuote: next) {
                let name = quoted(until: end)
                if isAtStart, let comment = comment() { return (name, comment) }
                isAtStart = false
            } else if next == UInt8(ascii: "/") || next == UInt8(ascii: "-") {
                if comment() == nil { position += 1 }
            } else {
                position += 1
                switch next {
                case UInt8(ascii: "("):
                    depth += 1
                    isAtStart = depth == 1
                case UInt8(ascii: ","): isAtStart = depth == 1
                case UInt8(ascii: ")"):
                    depth -= 1
                    isAtStart = false
                case UInt8(ascii: " "), 9...13: break
                default:
                    guard isAtStart else { break }
                    // Another program may have given the column a name without quotes.
                    let start = position - 1
                    while let next = byte(), Self.isOfName(next) { position += 1 }
                    let name = Array(text[start..<position])
                    if let comment = comment() { return (name, comment) }
                    isAtStart = false
                }
            }
        }
        return nil
    }

    /// The byte that ends what a quote begins; nil for a byte that is no quote.
    private static func end(ofQuote byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): byte
        case UInt8(ascii: "["): UInt8(ascii: "]")
        default: nil
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
    }

    /// Passes what is in quotes, and returns it without them.
    private mutating func quoted(until end: UInt8) -> [UInt8] {
        var name: [UInt8] = []
        position += 1
        while let next = byte() {
            position += 1
            if next == end {
                guard end != UInt8(ascii: "]"), byte() == end else { break }
                position += 1
            }
            name.append(next)
        }
        return name
    }

    /// Passes blanks and a comment, and returns the comment of a kind that the client writes.
    private mutating func comment() -> [UInt8]? {
        while let next = byte(), next == UInt8(ascii: " ") || (9...13).contains(next) {
            position += 1
        }
        if byte() == UInt8(ascii: "-"), byte(1) == UInt8(ascii: "-") {
            while let next = byte(), next != UInt8(ascii: "\n") { position += 1 }
            return []
        }
        guard byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") else { return nil }
        position += 2
        let start = position
        while let next = byte(), next != UInt8(ascii: "*") || byte(1) != UInt8(ascii: "/") {
            position += 1
        }
        let comment = text[start..<position]
        position += 2
        return comment.drop { $0 == UInt8(ascii: " ") }.reversed()
            .drop { $0 == UInt8(ascii: " ") }.reversed()
    }
}

import DBClientCore
import DBClientTool

/// A row as the page gets it: values as text, since JavaScript has no integers of 64 bits.
struct RowText: Encodable {
    /// The key.
    let k: [String?]
    /// The values in the order of the fields.
    let v: [String?]
    /// The values of the sort, whole, for the page that begins after the row; nil where the key is all of it.
    var s: [String?]?
    /// The positions of the values that were cut.
    var c: [Int]?

    /// The most characters of a value in a table.
    static let tableLength = 200

    /// - Parameters:
    ///   - row: The row.
    ///   - sorts: The fields that the rows are sorted by.
    ///   - length: The most characters of a value.
    init(_ row: DynamicRow, sorts: [String] = [], length: Int = tableLength) {
        k = row.key.map(FieldText.text)
        if !sorts.isEmpty { s = sorts.map { row[$0].flatMap(FieldText.text) } }
        var cut: [Int] = []
        v = row.entity.fields.enumerated().map { position, field in
            guard let text = row[field.name].flatMap(FieldText.text) else { return nil }
            guard text.utf8.count > length else { return text }
            let start = text.prefix(length)
            if start.endIndex < text.endIndex { cut.append(position) }
            return String(start)
        }
        if !cut.isEmpty { c = cut }
    }
}

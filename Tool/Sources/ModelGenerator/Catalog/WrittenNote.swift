import DBClientCore
import DBClientSQL
import Foundation

/// What the library has noted of a column that it made: the type that its field was written as.
struct WrittenNote: Hashable, Sendable {
    /// The kind of the field; nil for a form of which nothing is known here.
    var kind: FieldKind?
    /// How the column keeps the values.
    var format: ColumnFormat?

    /// Reads the note of a column.
    ///
    /// - Returns: Nil where the note is none.
    init?(_ note: String) {
        guard let field = WrittenField(note), let type = field.form.type else { return nil }
        format = field.form.format
        var text = field.form.text
        if let arrow = text.range(of: "->") { text = String(text[..<arrow.lowerBound]) }
        kind = type == .json ? Self.json(text.dropFirst(type.name.count)) : Self.scalar(text[...])
    }

    /// Returns the kind of a value that is no JSON, from its form: the name of a type, perhaps with that of a Swift type
    /// in parentheses.
    private static func scalar(_ form: Substring) -> FieldKind? {
        if form == "uint64+offset" { return .integer("OffsetUInt64") }
        let name = form.prefix { $0 != "(" }
        switch name {
        case "boolean": return .boolean
        case "int64": return .int
        case "int8", "int16", "int32": return .integer("Int" + name.dropFirst(3))
        case "uint64": return .integer("UInt")
        case "uint8", "uint16", "uint32": return .integer("UInt" + name.dropFirst(4))
        case "double": return .double
        case "float": return .float
        case "text": return .text
        case "data": return .data
        case "date": return .date
        case "uuid": return .uuid
        case "decimal": return .decimal
        case "url": return .url
        default: return nil
        }
    }

    /// Returns the kind of a value that is JSON, from what it is made of.
    private static func json(_ content: Substring) -> FieldKind {
        func inside(_ open: Character, _ close: Character) -> Substring? {
            guard content.first == open, content.last == close else { return nil }
            return content.dropFirst().dropLast()
        }
        if let element = inside("{", "}"), let kind = scalar(element) { return .set(kind) }
        if let element = inside("[", "]") {
            if element.hasPrefix("text:"), let kind = scalar(element.dropFirst(5)) {
                return .dictionary(kind)
            }
            if element.last == "?", let kind = scalar(element.dropLast()) {
                return .list(kind, hasAbsent: true)
            }
            if let kind = scalar(element) { return .list(kind, hasAbsent: false) }
        }
        return .json
    }
}

import DBClientCore
import Foundation

/// Rows as JSON objects, with every value in a form from which the same value is read again.
enum JSONText {
    /// Returns a row as an object of the fields that are not absent.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - fields: The names of the fields; nil for all.
    ///   - isAsStored: Whether JSON is spelt as a copy of the row has it.
    /// - Returns: The object on one line.
    static func object(
        _ row: DynamicRow,
        fields: [String]? = nil,
        isAsStored: Bool = false
    ) -> String {
        let names = fields ?? row.entity.fields.map(\.name)
        let pairs = names.compactMap { name -> String? in
            guard let value = row[name], !value.isNull else { return nil }
            return "\(quoted(name)):\(json(isAsStored ? value.asStored : value))"
        }
        return "{\(pairs.joined(separator: ","))}"
    }

    /// Returns a value as JSON: numbers, booleans and JSON as they are, all else as text.
    static func json(_ value: DynamicValue) -> String {
        switch value {
        case .null: return "null"
        case .boolean, .integer: return FieldText.text(value) ?? "null"
        // JSON has no infinity.
        case .real(let number) where number.isFinite: return number.description
        // Stored JSON may have line breaks between its parts, which would end the row.
        case .json(let text): return oneLine(text)
        default: return quoted(FieldText.text(value) ?? "")
        }
    }

    /// Puts spaces for the bytes that end a line; other line breaks may be a part of a JSON string.
    private static func oneLine(_ text: String) -> String {
        let breaks: Set<UInt8> = [0x0A, 0x0D]
        guard text.utf8.contains(where: breaks.contains) else { return text }
        return String(decoding: text.utf8.map { breaks.contains($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    /// Returns a text as a JSON string.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || (0x2028...0x2029).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Returns the value of a field from JSON; nil where that is of no value of the type.
    static func value(_ json: JSONPart, of type: FieldType) -> DynamicValue? {
        switch (type, json) {
        case (_, .null) where type != .json: .null
        case (.json, _): .json(json.raw)
        case (.boolean, .boolean(let value)): .boolean(value)
        case (.integer, .number(let text)): FieldText.value(text, of: type)
        case (.double, .number(let text)), (.float, .number(let text)),
            (.double, .string(let text, _)), (.float, .string(let text, _)):
            FieldText.value(text, of: type)
        case (.decimal, .number(let text)): FieldText.value(text, of: type)
        case (.boolean, _), (.integer, _): nil
        case (_, .string(let text, _)): FieldText.value(text, of: type)
        default: nil
        }
    }
}

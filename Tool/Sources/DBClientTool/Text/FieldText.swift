package import DBClientCore
import Foundation

/// The values of fields as text, so that a value that is written and read again is the same.
package enum FieldText {
    /// Returns a value as text; nil for an absent one.
    package static func text(_ value: DynamicValue) -> String? {
        switch value {
        case .null: nil
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .real(let value): value.description
        case .text(let value), .json(let value): value
        case .data(let value): value.base64EncodedString()
        case .date(let value): DateText.text(value)
        case .uuid(let value): value.uuidString
        case .decimal(let value): value.description
        case .url(let value): value.absoluteString
        }
    }

    /// Returns the value of a type from its text; nil where the text is of no value of the type.
    package static func value(_ text: String, of type: FieldType) -> DynamicValue? {
        switch type {
        case .boolean:
            switch text {
            case "true", "1": .boolean(true)
            case "false", "0": .boolean(false)
            default: nil
            }
        case .integer: Int64(text).map { .integer($0) }
        case .double: real(text).map { .real($0) }
        case .float: real(text).flatMap { $0.isFinite && !Float($0).isFinite ? nil : .real($0) }
        case .text: .text(text)
        case .data: Data(base64Encoded: text).map { .data($0) }
        case .date: DateText.date(text).map { .date($0) }
        case .uuid: UUID(uuidString: text).map { .uuid($0) }
        case .decimal: decimal(text).map { .decimal($0) }
        case .url: URL(string: text).map { .url($0) }
        case .json: .json(text)
        }
    }

    /// What a text of a type looks like, for messages.
    package static func form(of type: FieldType) -> String {
        switch type {
        case .boolean: "true or false"
        case .integer: "an integer"
        case .double, .float: "a number"
        case .text: "text"
        case .data: "data in base64"
        case .date: "a date such as 2026-11-26T10:00:00Z"
        case .uuid: "a UUID"
        case .decimal: "a decimal number"
        case .url: "a URL"
        case .json: "JSON"
        }
    }

    /// Takes decimal digits, and the names of infinity and of what is no number; digits that are beyond the range are
    /// no name of infinity.
    private static func real(_ text: String) -> Double? {
        guard let number = Double(text) else { return nil }
        let isName = text.utf8.first { !"+-".utf8.contains($0) }.map { $0 >= 0x41 } ?? false
        let isHexadecimal = !isName && text.utf8.contains { [0x58, 0x78].contains($0) }
        return isHexadecimal || number.isFinite == isName ? nil : number
    }

    /// Takes a whole text alone: Foundation reads as much of it as is a number.
    private static func decimal(_ text: String) -> Decimal? {
        guard NumberText.isDecimal(text) else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}

/// The type of fields that hold any JSON.
enum JSONValueFile {
    static let typeName = "JSONValue"

    /// Returns the file that declares the type.
    static func file(_ writer: SwiftWriter) -> GeneratedFile {
        let word = writer.word
        // The protocols of the type are Swift's own.
        let text = """
            import DBClientCore
            \(word)import Foundation

            /// Any JSON. Give a field a `Codable` type of your own where you know what it holds.
            \(word)enum JSONValue: Codable, Hashable, Sendable {
                case null
                case boolean(Bool)
                case number(Decimal)
                case string(String)
                case array([JSONValue])
                case object([String: JSONValue])

                \(word)init(from decoder: any Decoder) throws {
                    let container = try decoder.singleValueContainer()
                    if container.decodeNil() {
                        self = .null
                    } else if let value = try? container.decode(Bool.self) {
                        self = .boolean(value)
                    } else if let value = try? container.decode(Decimal.self) {
                        self = .number(value)
                    } else if let value = try? container.decode(String.self) {
                        self = .string(value)
                    } else if let value = try? container.decode([JSONValue].self) {
                        self = .array(value)
                    } else {
                        self = .object(try container.decode([String: JSONValue].self))
                    }
                }

                \(word)func encode(to encoder: any Encoder) throws {
                    var container = encoder.singleValueContainer()
                    switch self {
                    case .null: try container.encodeNil()
                    case .boolean(let value): try container.encode(value)
                    case .number(let value): try container.encode(value)
                    case .string(let value): try container.encode(value)
                    case .array(let value): try container.encode(value)
                    case .object(let value): try container.encode(value)
                    }
                }
            }
            """
        return GeneratedFile(
            name: typeName + ".swift",
            lines: SwiftWriter.header("columns of JSON") + [text]
        )
    }
}

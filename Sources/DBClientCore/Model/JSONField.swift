import Foundation

/// Codable values as JSON text: what a field holds whose type is no `StorableValue` of one column.
///
/// Object keys are sorted, dates are microseconds since 1970, data is base64. The text is canonical:
/// equal values have equal text, so engines may compare it byte by byte.
enum JSONField {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard let microseconds = date.microsecondsSince1970 else {
                throw DBClientError(
                    .invalidValue, "A date is finite and between 4714 BC and 294246 AD.")
            }
            var container = encoder.singleValueContainer()
            try container.encode(microseconds)
        }
        return try encoder.encode(value)
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: UnsafeRawBufferPointer
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            Date(microsecondsSince1970: try decoder.singleValueContainer().decode(Int64.self))
        }
        return try decoder.decode(type, from: Data(bytes))
    }

    static func write(_ value: some Encodable, to row: inout RowWriter) throws {
        let json: Data
        do {
            if let set = value as? any JSONSet {
                json = try set.sortedJSON()
            } else {
                json = try encode(value)
            }
        } catch let error as DBClientError {
            throw row.invalidValue(error.message)
        } catch {
            throw row.invalidValue("The value has no JSON form: \(describe(error)).")
        }
        guard json.range(of: Data(#"\u0000"#.utf8)) == nil else {
            throw row.invalidValue("Text with a NUL character is not stored.")
        }
        try json.withUnsafeBytes { try row.put(utf8: $0) }
    }

    /// The kind of a coding error, without the value that it carries.
    private static func describe(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context) = error else {
            return String(describing: type(of: error))
        }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? "not encodable" : "not encodable at \(path)"
    }
}

/// A set, whose order of iteration differs from run to run.
private protocol JSONSet {
    func sortedJSON() throws -> Data
}

extension Set: JSONSet where Element: Encodable {
    func sortedJSON() throws -> Data {
        let elements = try map { try JSONField.encode($0) }
            .sorted { $0.lexicographicallyPrecedes($1) }
        return Data("[".utf8) + elements.joined(separator: Data(",".utf8)) + Data("]".utf8)
    }
}

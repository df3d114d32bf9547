import Foundation

/// Codable values as JSON text: what a field holds whose type is no `StorableValue` of one column.
///
/// Object keys are sorted, dates are microseconds since 1970, data is base64. The elements of a set, and the
/// pairs of a dictionary whose keys are no keys of an object, stand in the order of their own text. So equal
/// values have equal text, and engines may compare it byte by byte.
enum JSONField {
    static func encode(_ value: some Encodable) throws -> Data {
        try encode(value, JSONNormalization())
    }

    /// Encodes a value and notes whether the text says something else than the value.
    static func encode(
        _ value: some Encodable,
        _ normalization: JSONNormalization
    ) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard let microseconds = date.microsecondsSince1970 else {
                throw DBClientError(
                    .invalidValue,
                    "A date must be finite and between 4714 BC and 294246 AD."
                )
            }
            if Date(microsecondsSince1970: microseconds) != date { normalization.differs = true }
            var container = encoder.singleValueContainer()
            try container.encode(microseconds)
        }
        return try normalization.checked(encoder.encode(CanonicalJSON(value, normalization)))
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: UnsafeRawBufferPointer
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let microseconds = try container.decode(Int64.self)
            guard Date.isStorable(microseconds) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "The date must be between 4714 BC and 294246 AD."
                )
            }
            return Date(microsecondsSince1970: microseconds)
        }
        return try decoder.decode(type, from: Data(bytes))
    }

    static func write(_ value: some Encodable, to row: inout RowWriter) throws {
        let json: Data
        let normalization = JSONNormalization()
        do {
            json = try encode(value, normalization)
        } catch let error as DBClientError {
            throw row.invalidValue(error.message)
        } catch {
            throw row.invalidValue("The value must have a JSON form: \(describe(error)).")
        }
        try json.withUnsafeBytes { bytes in
            if escapesNUL(bytes) {
                throw row.invalidValue("Text must not contain a NUL character.")
            }
            try row.put(utf8: bytes)
        }
        if normalization.differs { row.markNormalized() }
    }

    /// Returns whether a NUL is escaped in JSON text.
    ///
    /// A backslash escapes the one after it, so `\\u0000` is text with a backslash.
    private static func escapesNUL(_ json: UnsafeRawBufferPointer) -> Bool {
        let escape = Array(#"\u0000"#.utf8)
        guard escape.withUnsafeBytes({ platformFind($0, in: json) }) else { return false }
        var position = 0
        while position < json.count {
            guard json[position] == escape[0] else {
                position += 1
                continue
            }
            if json[position...].starts(with: escape) { return true }
            position += 2
        }
        return false
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

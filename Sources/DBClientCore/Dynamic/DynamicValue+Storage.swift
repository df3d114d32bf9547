import Foundation

extension DynamicValue {
    /// Creates the value of a field from its slot.
    init(_ slot: Slot, of field: FieldSchema) throws(SlotError) {
        if slot.isNull {
            self = .null
            return
        }
        switch field.type {
        case .boolean: self = .boolean(try Bool(slot: slot))
        case .integer: self = .integer(try Int64(slot: slot))
        case .double, .float: self = .real(try Double(slot: slot))
        case .text: self = .text(try String(slot: slot))
        case .data: self = .data(try Data(slot: slot))
        case .date: self = .date(try Date(slot: slot))
        case .uuid: self = .uuid(try UUID(slot: slot))
        case .decimal: self = .decimal(try Decimal(slot: slot))
        case .url: self = .url(try URL(slot: slot))
        case .json: self = .json(try String(slot: slot))
        }
    }

    /// Returns the value as lists keep their elements: as JSON text.
    ///
    /// - Throws: `.invalidRequest` for an absent value, `.invalidValue` for one that no list can hold.
    func json() throws -> StorageValue {
        switch self {
        case .null: throw DBClientError(.invalidRequest, "An element of a list must not be null.")
        case .boolean(let value): try StorageValue(json: value)
        case .integer(let value): try StorageValue(json: value)
        case .real(let value): try StorageValue(json: value)
        case .text(let value): try StorageValue(json: value)
        case .data(let value): try StorageValue(json: value)
        case .date(let value): try StorageValue(json: value)
        case .uuid(let value): try StorageValue(json: value)
        case .decimal(let value): try StorageValue(json: value)
        case .url(let value): try StorageValue(json: value)
        case .json(let text): .text(text)
        }
    }
}

extension EntitySchema {
    /// Returns the value of a field from its slot.
    ///
    /// - Throws: `.decoding`, naming the field, when the slot holds something else.
    func dynamicValue(_ slot: Slot, at column: Int) throws -> DynamicValue {
        do throws(SlotError) {
            return try DynamicValue(slot, of: fields[column])
        } catch {
            throw DBClientError(
                .decoding,
                error.message(reading: slot, as: fields[column].type),
                entity: name,
                field: fields[column].name
            )
        }
    }

    /// Writes a value as the next field of a row, which is one of a column.
    ///
    /// - Throws: `.invalidRequest` when the field holds another kind of value, `.invalidValue` when no
    ///   engine can keep it.
    func write(_ value: DynamicValue, at column: Int, to row: inout RowWriter) throws {
        switch (fields[column].type, value) {
        case (_, .null): try row.putNull()
        case (.boolean, .boolean(let value)): try row.write(value)
        case (.integer(let bits, let signed), .integer(let value)):
            try check(value, fits: bits, signed: signed, column)
            try row.put(integer: value)
        case (.double, .real(let value)): try row.write(value)
        case (.double, .integer(let value)):
            try row.write(try checked(Double(exactly: value), column))
        case (.float, .real(let value)):
            let rounded = Float(value)
            try row.write(
                try checked(rounded.isInfinite && value.isFinite ? nil : rounded, column)
            )
        case (.float, .integer(let value)):
            try row.write(try checked(Float(exactly: value), column))
        case (.text, .text(let value)): try row.write(value)
        case (.data, .data(let value)): try row.write(value)
        case (.date, .date(let value)): try row.write(value)
        case (.uuid, .uuid(let value)): try row.write(value)
        case (.decimal, .decimal(let value)): try row.write(value)
        case (.decimal, .integer(let value)): try row.write(Decimal(value))
        case (.url, .url(let value)): try row.write(value)
        case (.json, .json(let text)):
            guard let json = JSONText.canonical(text) else {
                throw DBClientError(
                    .invalidValue,
                    "The text must be valid JSON.",
                    entity: name,
                    field: fields[column].name
                )
            }
            try JSONField.write(json, to: &row)
        default:
            throw DBClientError(
                .invalidRequest,
                "The value must be \(fields[column].type.name), like the field; got \(value.kind).",
                entity: name,
                field: fields[column].name
            )
        }
    }

    /// Returns the stored form of a value of a field.
    func storageValue(_ value: DynamicValue, at column: Int) throws -> StorageValue {
        try naming(column) {
            try StorageValue.encode { try write(value, at: column, to: &$0) }
        }
    }

    private func check(_ value: Int64, fits bits: Int, signed: Bool, _ column: Int) throws {
        let isInRange =
            signed
            ? bits >= 64 || value >> (bits - 1) == value >> 63
            : value >= 0 && (bits >= 64 || value >> bits == 0)
        _ = try checked(isInRange ? value : nil, column)
    }

    /// Returns a number in the type of its field, of which there may be none.
    private func checked<Number>(_ number: Number?, _ column: Int) throws -> Number {
        if let number { return number }
        throw DBClientError(
            .invalidValue,
            "The number must be within the range of \(fields[column].type.name).",
            entity: name,
            field: fields[column].name
        )
    }
}

extension DynamicValue {
    /// The value as a store has it that it is written to: JSON in the library's own spelling, all else as it is.
    ///
    /// A column of another program may have JSON with other blanks, and numbers with more digits, which are read as they
    /// are. Two values that are equal as stored are the same value to a copy.
    public var asStored: DynamicValue {
        guard case .json(let text) = self, let json = JSONText.canonical(text),
            let bytes = try? JSONField.encode(json)
        else { return self }
        return .json(String(decoding: bytes, as: UTF8.self))
    }
}

/// JSON text, parsed so that it can be written in its canonical form.
private enum JSONText: Codable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case decimal(Decimal)
    case text(String)
    case list([JSONText])
    case object([String: JSONText])

    /// Whether numbers with a fraction are those of a `Decimal`, wherever one has them.
    private static let readsDecimals = CodingUserInfoKey(rawValue: "readsDecimals")

    /// Parses text; nil where it is not JSON.
    ///
    /// A number is written alike as a double and as a decimal, except for its exponent. Text as a store keeps
    /// it stays as it is, whichever of the two it came from.
    static func canonical(_ text: String) -> JSONText? {
        guard let doubles = parse(text, readsDecimals: false) else { return nil }
        if doubles.isWritten(as: text) { return doubles }
        guard let decimals = parse(text, readsDecimals: true), decimals.isWritten(as: text) else {
            return doubles
        }
        return decimals
    }

    private static func parse(_ text: String, readsDecimals: Bool) -> JSONText? {
        let decoder = JSONDecoder()
        if let key = Self.readsDecimals { decoder.userInfo[key] = readsDecimals }
        return try? decoder.decode(JSONText.self, from: Data(text.utf8))
    }

    private func isWritten(as text: String) -> Bool {
        (try? JSONField.encode(self)).map { $0.elementsEqual(text.utf8) } ?? false
    }

    /// Takes a number; nil where there is none.
    ///
    /// What has more digits than a double is a decimal's. A decoder that is asked for an integer would cut
    /// fractions off, so the digits decide.
    private init?(numberFrom decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let double = try? container.decode(Double.self) else { return nil }
        guard let decimal = try? container.decode(Decimal.self) else {
            self = .number(double)
            return
        }
        let digits = decimal.description
        if let integer = Int64(digits) {
            self = .integer(integer)
        } else if let integer = UInt64(digits) {
            self = .unsigned(integer)
        } else if let key = Self.readsDecimals, decoder.userInfo[key] as? Bool == true {
            self = .decimal(decimal)
        } else {
            let isDouble = Decimal(string: double.description) == decimal
            self = isDouble ? .number(double) : .decimal(decimal)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try JSONText(numberFrom: decoder) {
            self = value
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONText].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONText].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

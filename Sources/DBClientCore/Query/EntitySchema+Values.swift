import Foundation

// What fits a field, checked before a request reaches an engine.
extension EntitySchema {
    /// Returns the comparison of a field with another, given their stored names.
    ///
    /// - Throws: `.invalidRequest` when there is no such field or they are not of one type.
    func comparing(
        _ name: String,
        _ comparison: Comparison,
        with other: String
    ) throws -> RowCondition {
        let (column, otherColumn) = (try self.column(named: name), try self.column(named: other))
        guard fields[column].type.isComparable(with: fields[otherColumn].type) else {
            throw DBClientError(
                .invalidRequest,
                "Fields must have comparable types; \(name) is \(fields[column].type.name), \(other) is"
                    + " \(fields[otherColumn].type.name).",
                entity: self.name,
                field: name
            )
        }
        try checkOrder(comparison, of: column)
        return .compareFields(column: column, comparison, to: otherColumn)
    }

    /// Returns whether a field that is kept as JSON, a list, has an element.
    ///
    /// - Throws: `.invalidRequest` when there is no such field or it is not kept so; what `json` throws, naming
    ///   the field.
    func containing(
        _ name: String,
        _ json: @autoclosure () throws -> StorageValue
    ) throws
        -> RowCondition
    {
        let column = try self.column(named: name)
        guard fields[column].type == .json else {
            throw DBClientError(
                .invalidRequest,
                "The field must hold a list; it holds \(fields[column].type.name).",
                entity: self.name,
                field: name
            )
        }
        return .hasElement(column: column, json: try naming(column) { try json() })
    }

    /// Throws when a comparison asks for an order that a field's stored form does not have.
    func checkOrder(_ comparison: Comparison, of column: Int) throws {
        guard fields[column].type == .json, comparison != .equal, comparison != .notEqual else {
            return
        }
        throw DBClientError(
            .invalidRequest,
            "A field that is stored as JSON must not be compared by order.",
            entity: name,
            field: fields[column].name
        )
    }

    /// Returns the position of the field with a stored name.
    ///
    /// `text` is how the field's text is to be compared; only text can be compared otherwise than by its
    /// bytes.
    func column(named name: String, text: TextOrder = .binary) throws -> Int {
        try validate()
        guard let column = position(of: name) else {
            throw DBClientError(
                .invalidRequest,
                "The stored name must be that of a field.",
                entity: self.name,
                field: name,
                hint: "The fields are \(fields.map(\.name).joined(separator: ", "))."
            )
        }
        guard text == .binary || fields[column].type.slotKind == .text else {
            throw DBClientError(
                .invalidRequest,
                "A field must hold text to be compared ignoring case or naturally.",
                entity: self.name,
                field: name
            )
        }
        return column
    }

    /// Returns what is wrong with a sort, if anything is.
    func failure(of ordering: RowOrdering) -> DBClientError? {
        if let expression = ordering.expression {
            do {
                try ordering.owner(self).checkNesting(of: expression)
            } catch {
                return DBClientError.wrapping(error)
            }
        }
        guard ordering.text != .binary else { return nil }
        return ordering.type(of: self).slotKind == .text
            ? nil
            : DBClientError(
                .invalidRequest,
                "A field must hold text to be sorted ignoring case or naturally.",
                entity: name,
                field: ordering.field(of: self).name
            )
    }

    /// Returns the stored form of a value of a field.
    ///
    /// - Throws: `.invalidRequest` when the value is of another type than the field, `.invalidValue`
    ///   when no engine can keep it; both name the field.
    func storageValue<Value: StorableValue>(of value: Value, for column: Int) throws -> StorageValue
    {
        let field = fields[column]
        guard field.type.isComparable(with: Value.fieldType) else {
            throw mismatch(of: Value.fieldType.name, with: field)
        }
        return try naming(column) { try StorageValue(storing: value) }
    }

    /// Returns a value in its stored form as engines keep it in a field: zero without a sign.
    ///
    /// - Throws: `.invalidRequest` when the field does not hold such values, `.invalidValue` when no engine
    ///   can keep the value; both name the field.
    func storageValue(of value: StorageValue, for column: Int) throws -> StorageValue {
        let field = fields[column]
        guard field.type.holds(value) else {
            throw mismatch(of: "stored \(value.kind)", with: field)
        }
        return try naming(column) {
            try StorageValue.encode { row in
                switch value {
                case .null: try row.putNull()
                case .integer(let integer) where field.type == .date:
                    try row.put(date: integer)
                case .integer(let integer): try row.put(integer: integer)
                case .real(let real): try row.put(real: real)
                case .text(let text): try row.put(text: text)
                case .data(let bytes): try bytes.withUnsafeBytes { try row.put(data: $0) }
                }
            }
        }
    }

    private func mismatch(of found: String, with field: FieldSchema) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "The field must be compared with \(field.type.name), which it holds; got \(found).",
            entity: name,
            field: field.name
        )
    }
}

extension FieldType {
    /// Whether values of another type are stored and ordered like those of this one.
    func isComparable(with other: FieldType) -> Bool {
        switch (self, other) {
        case (.integer, .integer), (.double, .float), (.float, .double): true
        default: self == other
        }
    }

    /// Whether a value is the stored form of one of this type, or is absent.
    func holds(_ value: StorageValue) -> Bool {
        switch (self, value) {
        case (_, .null): true
        case (.boolean, .integer(let value)): value == 0 || value == 1
        case (.uuid, .data(let bytes)): bytes.count == 16
        case (.decimal, .data(let bytes)):
            bytes.withUnsafeBytes { OrderedDecimal.decode($0) } != nil
        default: value.kind == slotKind
        }
    }

    /// Whether a slot is absent, or is of the type's kind and has a form that a value of this type is stored
    /// in; of NaN and of what text says nothing is asked.
    func holds(_ slot: Slot) -> Bool {
        if slot.isNull { return true }
        guard slot.kind == slotKind else { return false }
        switch self {
        case .boolean: return slot.bits <= 1
        case .integer(let bits, let signed):
            // What is unsigned is kept up to Int64.max.
            let excess = signed ? slot.integer >> (bits - 1) : slot.integer >> min(bits, 63)
            return excess == 0 || signed && excess == -1
        case .date: return Date.isStorable(slot.integer)
        case .float: return slot.real.isNaN || Double(Float(slot.real)) == slot.real
        case .uuid: return slot.length == 16
        case .decimal: return OrderedDecimal.isForm(slot.bytes)
        case .double, .text, .data, .url, .json: return true
        }
    }
}

extension StorageValue {
    /// Returns the canonical JSON text of an element of a list.
    ///
    /// - Throws: `.invalidValue` for a value that no list can hold.
    init(json element: some Encodable) throws {
        self = try .encode { try JSONField.write(element, to: &$0) }
    }

    var kind: Slot.Kind {
        switch self {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .data: .data
        }
    }
}

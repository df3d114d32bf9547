// Fields by their stored names, for tools that know a model only at run time. Every call checks the
// name and the value's type against the schema.

extension Condition {
    /// Returns the comparison of the field with a stored name with a value.
    ///
    /// ```swift
    /// let condition = try Condition<Character>.field("power", .greater, 9000)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The stored name; a field of an embedded struct is `owner_field`.
    ///   - comparison: As with the operators: an absent field differs from every value, and no value
    ///     is less or greater. Compare with nil to ask whether the field is absent.
    ///   - value: A value of the field's type: any integer for an integer field, and so on.
    ///   - text: How text is compared.
    /// - Returns: The condition, to be combined with others or given to a request.
    /// - Throws: `DBClientError` with code `.invalidRequest`, naming entity and field, when there is
    ///   no such field or the value is of another type; `.invalidValue` for a value that no engine
    ///   can keep.
    public static func field(
        _ name: String,
        _ comparison: Comparison,
        _ value: some StorableValue,
        text: TextOrder = .binary
    ) throws -> Condition {
        let entity = Model.Storage.schema.entity
        let column = try entity.column(named: name, text: text)
        let stored = try entity.storageValue(of: value, for: column)
        return Condition(.comparing(column: column, comparison, stored, text))
    }

    /// Returns the comparison of the field with a stored name with a value in its stored form.
    ///
    /// - Throws: `.invalidRequest` when there is no such field or it does not hold such values,
    ///   `.invalidValue` for a value that no engine can keep.
    public static func field(
        _ name: String,
        _ comparison: Comparison,
        _ value: StorageValue,
        text: TextOrder = .binary
    ) throws -> Condition {
        let entity = Model.Storage.schema.entity
        let column = try entity.column(named: name, text: text)
        let stored = try entity.storageValue(of: value, for: column)
        return Condition(.comparing(column: column, comparison, stored, text))
    }

    /// Returns the comparison of the field with a stored name with another, of which absent ones are equal and
    /// have no order.
    ///
    /// - Throws: `.invalidRequest` when there is no such field or they are not of one type.
    public static func field(
        _ name: String,
        _ comparison: Comparison,
        field other: String
    ) throws -> Condition {
        Condition(try Model.Storage.schema.entity.comparing(name, comparison, with: other))
    }

    /// Returns whether the field with a stored name is one of the values.
    ///
    /// - Throws: As for a comparison.
    public static func field(
        _ name: String,
        isIn values: some Sequence<some StorableValue>
    ) throws -> Condition {
        let entity = Model.Storage.schema.entity
        let column = try entity.column(named: name)
        let stored = try values.map { try entity.storageValue(of: $0, for: column) }
        return Condition(.member(column: column, of: stored))
    }

    /// Returns whether the field with a stored name is one of the values in their stored form.
    ///
    /// - Throws: As for a comparison.
    public static func field(_ name: String, isIn values: [StorageValue]) throws -> Condition {
        let entity = Model.Storage.schema.entity
        let column = try entity.column(named: name)
        let stored = try values.map { try entity.storageValue(of: $0, for: column) }
        return Condition(.member(column: column, of: stored))
    }

    /// Returns whether the field with a stored name is absent, or is there.
    ///
    /// - Throws: `.invalidRequest` when there is no such field.
    public static func field(_ name: String, isNil: Bool) throws -> Condition {
        let absent = RowCondition.isNil(column: try Model.Storage.schema.entity.column(named: name))
        return Condition(isNil ? absent : .not(absent))
    }

    /// Returns whether the field with a stored name, a list, has an element.
    ///
    /// - Throws: `.invalidRequest` when there is no such field or it does not hold a list, `.invalidValue` for
    ///   an element that no list can hold.
    public static func field(
        _ name: String,
        hasElement element: some StorableValue & Encodable
    ) throws -> Condition {
        Condition(
            try Model.Storage.schema.entity.containing(name, try StorageValue(json: element))
        )
    }

    /// Returns whether the text of the field with a stored name matches.
    ///
    /// - Throws: `.invalidRequest` when there is no such field or it does not hold text,
    ///   `.invalidValue` for a pattern with NUL.
    public static func field(_ name: String, matches pattern: TextPattern) throws -> Condition {
        let entity = Model.Storage.schema.entity
        let column = try entity.column(named: name)
        _ = try entity.storageValue(of: pattern.text, for: column)
        return Condition(.matches(column: column, pattern))
    }

    /// Returns whether the text of the field with a stored name matches another where case, accents and the width of
    /// letters do not count.
    ///
    /// - Throws: As for a pattern.
    public static func field(
        _ name: String,
        folding match: TextFolding.Match,
        _ text: String
    ) throws -> Condition {
        let entity = Model.Storage.schema.entity
        let column = try entity.column(named: name)
        let stored = try entity.storageValue(of: text, for: column)
        return Condition(.folding(.field(column), match, stored))
    }
}

extension Ordering {
    /// Returns the sort by the field with a stored name.
    ///
    /// - Throws: `DBClientError` with code `.invalidRequest` when there is no such field.
    public static func field(_ name: String, descending: Bool = false) throws -> Ordering {
        let column = try Model.Storage.schema.entity.column(named: name)
        return Ordering(row: RowOrdering(column: column, isDescending: descending), failure: nil)
    }
}

extension FetchRequest {
    /// Returns a request for the values whose field with a stored name also equals a value.
    ///
    /// - Throws: `.invalidRequest` when there is no such field or the value is of another type.
    public func filter(field name: String, equalTo value: some StorableValue) throws -> Self {
        filter(try .field(name, .equal, value))
    }

    /// Returns a request for the values whose field with a stored name also is one of some values.
    ///
    /// - Throws: `.invalidRequest` when there is no such field or a value is of another type.
    public func filter(
        field name: String,
        in values: some Sequence<some StorableValue>
    ) throws -> Self {
        filter(try .field(name, isIn: values))
    }

    /// Returns a request for the values whose field with a stored name is none of some values; an
    /// absent field is none of them unless nil is one.
    ///
    /// - Throws: `.invalidRequest` when there is no such field or a value is of another type.
    public func filter(
        field name: String,
        notIn values: some Sequence<some StorableValue>
    ) throws -> Self {
        filter(try !.field(name, isIn: values))
    }
}

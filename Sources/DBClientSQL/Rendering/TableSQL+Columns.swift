import DBClientCore

// A field in a statement, by the form of its column.
extension TableSQL {
    /// What a statement reads of a column.
    public enum ColumnPart {
        /// The field's value, as rows are read.
        case value
        /// The value where its order counts.
        case ordered
    }

    /// Appends a field, by default its value.
    ///
    /// - Parameters:
    ///   - part: What is read of the column.
    ///   - field: The field.
    ///   - alias: What the table goes by; nil where the column's name is enough.
    ///   - text: The statement.
    public func append(
        _ part: ColumnPart = .value,
        of field: Int,
        as alias: String? = nil,
        to text: inout SQLText
    ) {
        let name = columnName(field)
        if forms.isEmpty { return text.append(column: name, of: alias) }
        let form = forms[field]
        let template = part == .ordered ? form.ordered ?? form.value : form.value
        text.append(template: template) { $0.append(column: name, of: alias) }
    }

    /// Appends a field as it is compared with one of another table, whose text may have another collation.
    func append(
        of field: Int,
        as alias: String? = nil,
        comparedWith other: TableSQL,
        _ otherField: Int,
        to text: inout SQLText
    ) {
        if isComparedBare(field, with: other, otherField) {
            return text.append(column: columnName(field), of: alias)
        }
        append(of: field, as: alias, to: &text)
        let type = entity.fields[field].type
        let (form, otherForm) = (form(of: field), other.form(of: otherField))
        if type.slotKind == .text, type != .json,
            (form.ordered == nil) != (otherForm.ordered == nil)
                || form.collation != otherForm.collation
        {
            text.append(" COLLATE \(dialect.traits.byteCollation)")
        }
    }

    /// Appends a field as another table's field is compared with it by ``append(of:as:comparedWith:_:to:)``.
    func append(
        _ field: Int,
        as alias: String? = nil,
        matching other: TableSQL,
        _ otherField: Int,
        to text: inout SQLText
    ) {
        if isComparedBare(field, with: other, otherField) {
            text.append(column: columnName(field), of: alias)
        } else {
            append(of: field, as: alias, to: &text)
        }
    }

    /// Whether two fields are equal where their bare columns are, so that an index over either serves.
    private func isComparedBare(_ field: Int, with other: TableSQL, _ otherField: Int) -> Bool {
        guard let compared = form(of: field).compared else { return false }
        return compared == other.form(of: otherField).compared
    }

    /// Appends the values of fields.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - alias: What the table goes by; nil where the names of columns are enough.
    ///   - text: The statement.
    public func appendValues(
        of fields: some Sequence<Int>,
        as alias: String? = nil,
        to text: inout SQLText
    ) {
        text.append(fields) { append(of: $1, as: alias, to: &$0) }
    }

    /// Appends fields as the columns of another table, under the names that they have in this one.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - part: What is read of the columns.
    ///   - text: The statement.
    public func appendNamedValues(
        of fields: some Sequence<Int>,
        _ part: ColumnPart = .value,
        to text: inout SQLText
    ) {
        text.append(fields) { text, field in
            append(part, of: field, to: &text)
            if forms.isEmpty { return }
            text.append(" AS ")
            text.append(identifier: columnName(field))
        }
    }

    /// Appends a value as it is written to a field's column.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - text: The statement.
    ///   - value: Appends the value, of the type of the library's own column.
    public func append(
        stored field: Int,
        to text: inout SQLText,
        _ value: (inout SQLText) -> Void
    ) {
        if forms.isEmpty { return value(&text) }
        text.append(template: forms[field].stored, of: value)
    }

    /// Appends that a field equals a value, so that an index over the column serves where that is possible.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - alias: What the table goes by; nil where the column's name is enough.
    ///   - text: The statement.
    ///   - value: Appends the value, of the type of the library's own column.
    public func appendEquality(
        of field: Int,
        as alias: String? = nil,
        to text: inout SQLText,
        _ value: (inout SQLText) -> Void
    ) {
        let form = form(of: field)
        if let compared = form.equated ?? form.compared {
            text.append(column: columnName(field), of: alias)
            text.append(" = ")
            return text.append(template: compared, of: value)
        }
        append(of: field, as: alias, to: &text)
        text.append(" = ")
        value(&text)
    }
}

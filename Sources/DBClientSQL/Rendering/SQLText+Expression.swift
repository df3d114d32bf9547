import DBClientCore

// What the dialect spells in its own way.
extension SQLText {
    /// Appends an expression of an operand, which may be there more than once.
    mutating func append(
        _ expression: SQLExpression,
        of operand: (inout SQLText) -> Void = { _ in }
    ) {
        append(template: dialect.template(of: expression), of: operand)
    }

    /// Appends a template with an operand, which may be there more than once.
    public mutating func append(template: String, of operand: (inout SQLText) -> Void) {
        fill(template) { text, _ in operand(&text) }
    }

    /// Appends a test of a column, with a placeholder for each constant of the form in order.
    mutating func append(_ form: SQLForm, on column: SQLColumn) {
        fill(dialect.template(of: .test(form, column))) { text, isQualified in
            text.append(template: column.form.value) { text in
                text.append(column: column.name, of: isQualified ? column.table : nil)
            }
        }
    }

    /// Appends text so that it is compared and sorted in an order of texts.
    mutating func append(in order: TextOrder, _ operand: (inout SQLText) -> Void) {
        guard order == .natural, let function = dialect.traits.naturalOrderFunction else {
            return append(.folded, of: operand)
        }
        append("\(function)(")
        operand(&self)
        append(")")
    }

    /// Appends a sort key's clause of where nulls come, if the database's default is another.
    mutating func appendNulls(_ ordering: RowOrdering) {
        let isFirstByDefault = dialect.traits.nullsAreLeast != ordering.isDescending
        if ordering.nilsFirst == isFirstByDefault { return }
        append(ordering.nilsFirst ? " NULLS FIRST" : " NULLS LAST")
    }

    /// Appends a template, whose operand is appended by a function of whether it has the name of its table.
    private mutating func fill(
        _ template: String,
        _ operand: (inout SQLText, _ isQualified: Bool) -> Void
    ) {
        var rest = template[...]
        while let place = rest.utf8.firstIndex(where: Self.isMark) {
            append(String(rest[..<place]))
            switch rest.utf8[place] {
            case UInt8(ascii: "?"): appendParameter()
            case UInt8(ascii: "@"): operand(&self, true)
            default: operand(&self, false)
            }
            rest = rest[rest.utf8.index(after: place)...]
        }
        append(String(rest))
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "#") || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "?")
    }
}

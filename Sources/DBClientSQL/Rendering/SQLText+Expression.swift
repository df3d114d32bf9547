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
        fill(dialect.template(of: .test(form, column))) { text, mark in
            if mark == Self.bareMark {
                return text.append(column: column.name, of: column.table)
            }
            text.append(template: column.form.value) { text in
                text.append(
                    column: column.name,
                    of: mark == Self.qualifiedMark ? column.table : nil
                )
            }
        }
    }

    /// Appends text so that it is compared and sorted in an order of texts.
    mutating func append(in order: TextOrder, _ operand: (inout SQLText) -> Void) {
        append(template: template(of: order), of: operand)
    }

    /// Returns the template of a text, which stands in it once, as it is compared and sorted in an order of texts.
    func template(of order: TextOrder) -> String {
        guard order == .natural, let function = dialect.traits.naturalOrderFunction else {
            return dialect.template(of: .folded)
        }
        return "\(function)(#)"
    }

    /// Appends a sort key's clause of where nulls come, if the database's default is another.
    mutating func appendNulls(_ ordering: RowOrdering) {
        let isFirstByDefault = dialect.traits.nullsAreLeast != ordering.isDescending
        if ordering.nilsFirst == isFirstByDefault { return }
        append(ordering.nilsFirst ? " NULLS FIRST" : " NULLS LAST")
    }

    /// Appends a template, whose operand is appended by a function of its mark.
    private mutating func fill(
        _ template: String,
        _ operand: (inout SQLText, _ mark: UInt8) -> Void
    ) {
        var rest = template[...]
        while let place = rest.utf8.firstIndex(where: Self.isMark) {
            append(String(rest[..<place]))
            let mark = rest.utf8[place]
            if mark == UInt8(ascii: "?") { appendParameter() } else { operand(&self, mark) }
            rest = rest[rest.utf8.index(after: place)...]
        }
        append(String(rest))
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "#") || byte == UInt8(ascii: "?") || byte == qualifiedMark
            || byte == bareMark
    }

    private static let qualifiedMark = UInt8(ascii: "@")
    private static let bareMark = UInt8(ascii: "`")
}

public import DBClientCore

/// The SQL of one database, as far as databases spell it differently.
///
/// What is constant is in `traits`. What a statement has of it is a template, which the statement's text is put
/// together from once for each shape.
public protocol SQLDialect: Sendable {
    /// The constant facts of the database.
    var traits: SQLTraits { get }

    /// Returns the name under which the database has a table or a column: its own, the default, unless that is
    /// reserved.
    ///
    /// - Parameters:
    ///   - name: The stored name of the entity or of the field.
    ///   - kind: What it is the name of.
    /// - Returns: The name, not quoted.
    func name(_ name: String, of kind: SQLNameKind) -> String

    /// Returns how a column of the library's own is declared for a type and the format of its values, as the database
    /// reports it.
    func declaration(of type: FieldType, as format: ColumnFormat?) -> String
    /// Returns how statements write a field that a column of a declared type holds; nil where it cannot hold it.
    ///
    /// The collation of the column is not a matter of the dialect: how texts are compared is said above it.
    func form(of column: SQLTableDescription.Column, for field: FieldSchema) -> SQLColumnForm?
    /// Returns the types that a column of another program may be of, the likeliest first, as far as its declaration
    /// tells; by default all types.
    ///
    /// The first of them for which there is a ``form(of:for:)`` is the type of the field where there is no model.
    func types(of column: SQLTableDescription.Column) -> [FieldType]
    /// Returns the statements that change a table.
    func statements(for change: SQLTableChange, of table: String) -> [String]

    /// Returns how a field is tested.
    ///
    /// Membership is asked of at least one value. For an absent field the condition is what `holdsForNil` says; null
    /// counts as false.
    func form(of test: FieldTest) throws -> SQLForm
    /// Returns how keys of several columns are looked up, given at least one.
    ///
    /// Any number of keys is bound as a few constants.
    func form(ofKeys keys: [[StorageValue]]) throws -> SQLForm
    /// Returns the template of an expression.
    func template(of expression: SQLExpression) -> String
    /// Returns the constants that a function of a time zone has for the rules of the zone, one for each placeholder of its
    /// template, all of which stand before the operand; by default the rules themselves, for a function that calls
    /// the library.
    func constants(of function: RowFunction, in rules: StorageValue) -> [StorageValue]
}

/// What a name is that a dialect may have to change.
public enum SQLNameKind: Sendable {
    /// The name of a table, which an entity's name is made into.
    case table
    /// The name of a column, which a field's name is made into.
    case column
}

extension SQLDialect {
    /// Returns how statements write a field that a column holds, so that its texts are compared by their bytes; nil
    /// where it cannot hold it.
    package func collatedForm(
        of column: SQLTableDescription.Column,
        for field: FieldSchema
    ) -> SQLColumnForm? {
        guard var form = form(of: column, for: field) else { return nil }
        // Equality is that of the bytes, which the column's own is not.
        if column.collation == .ofOwnEquality { form.equated = nil }
        guard field.type.slotKind == .text, field.type != .json, form.value == "#" else {
            return form
        }
        switch column.collation {
        case .bytes: break
        case .ofOwnOrder:
            form.ordered = "(# COLLATE \(traits.byteCollation))"
            form.collation = column.collationName
        case .ofOwnEquality: form.value = "(# COLLATE \(traits.byteCollation))"
        }
        return form
    }

    /// Returns the name as it is, for a database that reserves none.
    public func name(_ name: String, of kind: SQLNameKind) -> String { name }

    /// Returns the rules as they are.
    public func constants(of function: RowFunction, in rules: StorageValue) -> [StorageValue] {
        [rules]
    }

    /// Returns all types, those that most programs mean first.
    public func types(of column: SQLTableDescription.Column) -> [FieldType] {
        [
            .integer(bits: 64, signed: true), .double, .float, .text, .data, .boolean, .date, .uuid,
            .decimal, .json,
        ]
    }
}

extension SQLTableDescription.Column {
    /// Returns what the values were written as, as far as the column is still declared as it was for that.
    package func written(in dialect: any SQLDialect) -> FieldForm? {
        guard let form = written?.form, let wanted = form.type,
            dialect.declaration(of: wanted, as: form.format) == type
        else { return nil }
        return form
    }
}

extension Comparison {
    /// The operator, given the one that is true when two values differ.
    package func sign(differing: String) -> String { self == .notEqual ? differing : sign }
}

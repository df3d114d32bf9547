public import DBClientCore

/// The statements that concern one entity's rows by their keys, written when first asked for.
public final class TableSQL {
    /// The entity whose table this is.
    public let entity: EntitySchema
    /// The name of the table, not quoted.
    public let name: String
    /// The fields that are written and are not of the primary key, ascending.
    public private(set) var values: [Int]
    /// The fields that a new row is written with, ascending.
    public private(set) var written: [Int]
    /// The fields beside the primary key whose values the database makes, and takes none of, ascending.
    public internal(set) var generated: [Int] = [] {
        didSet {
            written = entity.fields.indices.filter { !generated.contains($0) }
            values = written.filter { !entity.primaryKey.contains($0) }
        }
    }
    /// Whether the database makes the key of every new row, and takes none.
    public internal(set) var makesEveryKey = false
    /// The dialect that the statements are written in.
    public let dialect: any SQLDialect
    /// The identity of the table, as far as another may take its name; nil where the connection notices that by itself.
    public var identity: SQLTableIdentity?
    /// How statements write the fields; empty where all columns are as the library declares them.
    public var forms: [SQLColumnForm] = [] {
        didSet { roundsValues = forms.contains { $0.rounding != nil } }
    }
    /// What tells writers that keep the stored views of the table's rows from others; nil where there are none.
    var viewMark: String?
    /// Why no row can be added; nil where rows can be.
    var errorOfNewRows: DBClientError?
    /// Whether a column cannot keep some values as they are.
    private(set) var roundsValues = false

    /// Creates the statements of an entity, which by default has a table of its own.
    public init(_ entity: EntitySchema, _ dialect: any SQLDialect, as name: String? = nil) {
        self.entity = entity
        self.dialect = dialect
        self.name = name ?? dialect.tableName(of: entity)
        values = entity.columnsBesideKey
        written = Array(entity.fields.indices)
    }

    /// Returns how statements read, compare and store a field; the library's own form unless the table has another.
    public func form(of field: Int) -> SQLColumnForm { forms.isEmpty ? .own : forms[field] }

    /// Returns the name of a field's column, not quoted.
    public func columnName(_ field: Int) -> String {
        dialect.columnName(of: entity.fields[field].name)
    }

    /// Selects every field of the row with a key.
    public var selectByKey: String {
        write { text in
            text.append("SELECT ")
            appendValues(of: entity.fields.indices, to: &text)
            text.append(" FROM ")
            text.append(table: name)
            appendKeyCondition(to: &text)
        }
    }

    /// Inserts a row of every field that is written.
    public var insert: String { insert(then: "") }

    /// Inserts a row of every field that is written unless its key exists.
    public var insertIfMissing: String {
        write { text in
            text.append(insert(then: " ON CONFLICT ("))
            appendColumns(entity.primaryKey, to: &text)
            text.append(") DO NOTHING")
        }
    }

    /// Inserts a row of every field that is written unless it conflicts with one in a unique value.
    public var insertIfAbsent: String { insert(then: " ON CONFLICT DO NOTHING") }

    private func insert(then tail: String) -> String {
        write { text in
            text.append("INSERT INTO ")
            text.append(table: name)
            text.append(" (")
            appendColumns(written, to: &text)
            text.append(") ")
            appendOverriding(to: &text)
            appendValues(written, to: &text)
            text.append(tail)
        }
    }

    /// Appends that keys are inserted as they are given, where the database makes every key: those of rows that are
    /// there, or that it has made before.
    public func appendOverriding(to text: inout SQLText) {
        if makesEveryKey { text.append("OVERRIDING SYSTEM VALUE ") }
    }

    /// Appends the values of a new row: a parameter for each field.
    public func appendValues(_ columns: some Sequence<Int>, to text: inout SQLText) {
        var identity = identity
        text.append("VALUES (")
        text.append(columns) { text, column in
            append(stored: column, to: &text) { text in
                guard let table = identity, table.types[column] != nil else {
                    return appendParameter(of: column, to: &text)
                }
                identity = nil
                text.append("CASE WHEN \(table.condition) THEN ")
                appendParameter(of: column, to: &text)
                text.append(" END")
            }
        }
        text.append(")")
    }

    /// Appends to a statement's condition that the table is the one that it was made for.
    ///
    /// - Parameters:
    ///   - conjunction: The word before it.
    ///   - text: The statement.
    public func appendIdentity(after conjunction: String = " AND ", to text: inout SQLText) {
        guard let identity else { return }
        text.append(conjunction)
        text.append(identity.condition)
    }

    /// Sets fields of the row with a key: the fields' parameters first, then the key's.
    public func update(_ columns: [Int]) -> String {
        write { text in
            appendUpdate(columns, to: &text)
            appendKeyCondition(to: &text)
        }
    }

    /// The statement that finds whether a row with a key exists.
    public var exists: String {
        write { text in
            text.append("SELECT 1 FROM ")
            text.append(table: name)
            appendKeyCondition(to: &text)
        }
    }

    /// Deletes the row with a key.
    public var deleteByKey: String {
        write { text in
            text.append("DELETE FROM ")
            text.append(table: name)
            appendKeyCondition(to: &text)
        }
    }

    /// Makes an index under a name.
    ///
    /// - Parameters:
    ///   - index: The index.
    ///   - indexName: Its name, not quoted.
    ///   - option: The words between the verb and the name, with a space after them.
    /// - Returns: The statement.
    public func createIndex(
        _ index: IndexSchema,
        named indexName: String,
        option: String = ""
    ) -> String {
        write { text in
            text.append(index.isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ")
            text.append(option)
            text.append(identifier: indexName)
            text.append(" ON ")
            text.append(table: name)
            text.append(" (")
            text.append(index.fields) { text, column in
                text.append(column: entity.fields[column].name)
                guard entity.fields[column].isOptional else { return }
                // The order of requests, so that the index serves them.
                text.appendNulls(RowOrdering(column: column))
            }
            text.append(")")
        }
    }

    func appendUpdate(_ columns: [Int], to text: inout SQLText) {
        text.append("UPDATE ")
        text.append(table: name)
        text.append(" SET ")
        text.append(columns) { text, column in
            text.append(column: entity.fields[column].name)
            text.append(" = ")
            append(stored: column, to: &text) { appendParameter(of: column, to: &$0) }
        }
    }

    /// Appends the parameter of a field's value, with its type where the column should have that one: without it the
    /// parameter would take the type that the column has by now.
    private func appendParameter(of column: Int, to text: inout SQLText) {
        text.appendParameter()
        if let type = identity?.types[column] { text.append("::\(type)") }
    }

    /// Appends the bare columns of fields.
    public func appendColumns(_ columns: some Sequence<Int>, to text: inout SQLText) {
        text.append(columns) { $0.append(column: entity.fields[$1].name) }
    }

    private func appendKeyCondition(to text: inout SQLText) {
        text.append(" WHERE ")
        text.append(entity.primaryKey, separator: " AND ") { text, column in
            appendEquality(of: column, to: &text) { text in
                text.appendParameter(comparedWith: entity.fields[column].type)
            }
        }
        appendIdentity(to: &text)
    }

    private func write(_ body: (inout SQLText) -> Void) -> String {
        var text = SQLText(dialect)
        body(&text)
        return text.sql
    }
}

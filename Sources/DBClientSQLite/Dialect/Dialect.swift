import DBClientCore
import DBClientSQL
import GRDBSQLite

/// SQLite's way to spell what the dialects spell differently.
struct SQLiteDialect: SQLDialect {
    func appendPlaceholder(
        _ number: Int,
        comparedWith type: FieldType?,
        to text: inout SQLText
    ) {
        text.append("?")
    }

    var isDistinctFrom: String { "IS NOT" }
    var unlimited: String? { "-1" }
    var explainPrefix: String { "EXPLAIN QUERY PLAN " }
    var maximumParameterCount: Int { 32_766 }
    var byteCollation: String { "BINARY" }
    var ignoresCaseOfNames: Bool { true }

    /// Names that begin with `sqlite_` are SQLite's own.
    func tableName(of entity: EntitySchema) -> String { Self.tableName(of: entity.name) }

    /// Returns the name of the table of an entity with a name.
    static func tableName(of name: String) -> String {
        let isReserved = asciiFolded(name).prefix(7).elementsEqual("sqlite_".utf8)
        return isReserved ? "_" + name : name
    }

    func createTable(_ entity: EntitySchema) -> String {
        var text = SQLText(self)
        let isRowID =
            entity.primaryKey.count == 1
            && entity.fields[entity.primaryKey[0]].type.slotKind == .integer
        text.append("CREATE TABLE IF NOT EXISTS ")
        text.append(identifier: tableName(of: entity))
        text.append(" (")
        text.append(entity.fields.enumerated()) { text, field in
            let (position, field) = field
            text.append(identifier: field.name)
            Self.appendType(field, to: &text)
            if isRowID && position == entity.primaryKey[0] {
                text.append(" PRIMARY KEY")
                if entity.keyGeneration == .generated { text.append(" AUTOINCREMENT") }
            }
            if !field.isOptional { text.append(" NOT NULL") }
            Self.appendCheck(of: field.type, on: field.name, to: &text)
        }
        if !isRowID {
            text.append(", PRIMARY KEY (")
            text.append(entity.primaryKey) { $0.append(identifier: entity.fields[$1].name) }
            text.append(")")
        }
        text.append(isRowID ? ") STRICT" : ") STRICT, WITHOUT ROWID")
        return text.sql
    }

    /// Appends the declared type of a field's column, after a note of what it is written as.
    ///
    /// SQLite keeps the text of a declaration, so the note stays with the column when it is renamed, and is
    /// dropped with it.
    static func appendType(_ field: FieldSchema, to text: inout SQLText) {
        text.append(" \(ColumnNotes.text(of: WrittenField(field))) ")
        text.append(declaredType(field.type))
    }

    func declaration(of type: FieldType) -> String { Self.declaredType(type) }

    /// Appends what holds of every value of a type.
    static func appendCheck(of type: FieldType, on column: String, to text: inout SQLText) {
        guard type == .boolean else { return }
        text.append(" CHECK (")
        text.append(identifier: column)
        text.append(" IN (0, 1))")
    }

    static func declaredType(_ type: FieldType) -> String {
        switch type.slotKind {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .data, .null: "BLOB"
        }
    }

    /// By the rules that give a column its affinity: a field fits where what is written is what is
    /// read.
    func fits(_ column: SQLTableDescription.Column, _ field: FieldSchema) -> Bool {
        let type = column.type.uppercased()
        func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        let kind = field.type.slotKind
        if type.isEmpty || type == "ANY" { return true }
        if has("INT") { return kind == .integer }
        if has("CHAR", "CLOB", "TEXT") { return kind == .text }
        if has("BLOB") { return kind == .data }
        if has("REAL", "FLOA", "DOUB") { return kind == .real }
        return kind == .integer || kind == .real || kind == .data
    }

    func appendFolded(_ operand: (inout SQLText) -> Void, to text: inout SQLText) {
        operand(&text)
        text.append(" COLLATE NOCASE")
    }

    var naturalOrderFunction: String? { SQLiteFunctions.naturalOrder }

    /// Nulls come first ascending and last descending by default.
    func appendNulls(_ ordering: RowOrdering, to text: inout SQLText) {
        if ordering.nilsFirst == !ordering.isDescending { return }
        text.append(ordering.nilsFirst ? " NULLS FIRST" : " NULLS LAST")
    }

    /// SQLite's own average adds integers up as doubles, in whatever order it comes upon them.
    func append(
        _ function: AggregateFunction,
        of operand: (inout SQLText) -> Void,
        _ type: FieldType,
        to text: inout SQLText
    ) {
        switch function {
        case .minimum: text.append("MIN(")
        case .maximum: text.append("MAX(")
        case .sum: text.append("SUM(")
        case .average where type.slotKind == .integer: text.append("\(SQLiteFunctions.average)(")
        case .average where type == .decimal: text.append("\(SQLiteFunctions.decimalAverage)(")
        case .average: text.append("AVG(")
        }
        operand(&text)
        text.append(")")
    }

    /// Of integers the sums of the upper and lower halves: neither overflows before the 2^31st row, so the
    /// result does not depend on the order in which SQLite adds up.
    func appendExactSum(
        of column: (inout SQLText) -> Void,
        _ type: FieldType,
        to text: inout SQLText
    ) {
        if type == .decimal { return appendDecimalSum(of: column, to: &text) }
        text.append("SUM(")
        column(&text)
        text.append(" >> 32), SUM(")
        column(&text)
        text.append(" & 4294967295)")
    }

    func exactSumWidth(of type: FieldType) -> Int { type == .decimal ? 1 : 2 }

    func exactSum(_ slots: UnsafeBufferPointer<Slot>, of type: FieldType) -> StorageValue? {
        if slots[0].isNull { return .null }
        if type == .decimal {
            return OrderedDecimal.isForm(slots[0].bytes) ? StorageValue(slots[0]) : nil
        }
        // At most 63 bits each, so the carry out of the lower half cannot overflow either.
        let low = slots[1].integer
        let (high, hasOverflown) = slots[0].integer.addingReportingOverflow(low >> 32)
        guard !hasOverflown, let high = Int32(exactly: high) else { return nil }
        return .integer(Int64(high) << 32 | low & 0xFFFF_FFFF)
    }

    private func appendDecimalSum(
        of column: (inout SQLText) -> Void,
        to text: inout SQLText
    ) {
        text.append("\(SQLiteFunctions.decimalSum)(")
        column(&text)
        text.append(")")
    }

    /// SQLite's own functions round at each step, in whatever order it comes upon the rows.
    func appendRealSum(
        _ function: AggregateFunction,
        of operand: (inout SQLText) -> Void,
        isCompared: Bool,
        to text: inout SQLText
    ) {
        let name = function == .sum ? SQLiteFunctions.realSum : SQLiteFunctions.realAverage
        text.append(isCompared ? "NULLIF(\(name)(" : "\(name)(")
        operand(&text)
        text.append(isCompared ? "), 'NaN')" : ")")
    }

    /// A sum that leaves the range anywhere, in whatever order SQLite adds up, is an error.
    var checksIntegerSums: Bool { true }

    func isSumOverflow(_ error: DBClientError) -> Bool {
        error.engineCode == .number(Int(SQLITE_ERROR)) && error.engineMessage == "integer overflow"
    }

    var joinsRelatedRows: Bool { true }

    /// The parser has room for a hundred entries, of which each subquery within another takes eight.
    var subqueryNaming: SubqueryNaming? {
        SubqueryNaming(namePrefix: "sqlite_", numberPrefix: "?")
    }

    /// Of integers the upper half with the carry, then the rest of the lower one.
    func appendComparableSum(
        of column: (inout SQLText) -> Void,
        _ type: FieldType,
        to text: inout SQLText
    ) {
        if type == .decimal {
            text.append("COALESCE(")
            appendDecimalSum(of: column, to: &text)
            return text.append(", X'01')")
        }
        text.append("COALESCE(SUM(")
        column(&text)
        text.append(" >> 32), 0) + (COALESCE(SUM(")
        column(&text)
        text.append(" & 4294967295), 0) >> 32), COALESCE(SUM(")
        column(&text)
        text.append(" & 4294967295), 0) & 4294967295")
    }

    func comparableSum(_ sum: StorageValue) -> [StorageValue] {
        guard case .integer(let sum) = sum else { return [sum] }
        return [.integer(sum >> 32), .integer(sum & 0xFFFF_FFFF)]
    }
}

import DBClientCore
import DBClientSQL
import GRDBSQLite

/// SQLite's way to spell what the dialects spell differently.
struct SQLiteDialect: SQLDialect {
    /// The formats of columns of which the field says none; tests alone have some.
    var formats: (@Sendable (FieldType) -> ColumnFormat?)?

    /// Whether the file is encrypted, so that each call is a transaction in which its pages are proven at the end.
    var isEncrypted = false

    var traits: SQLTraits {
        switch (formats != nil, isEncrypted) {
        case (false, false): Self.traits
        case (false, true): Self.traitsOfEncryption
        case (true, false): Self.traitsOfFormats
        case (true, true): Self.traitsOfBoth
        }
    }

    private static let traitsOfEncryption: SQLTraits = {
        var traits = Self.traits
        traits.readsWithoutTransaction = false
        return traits
    }()

    private static let traitsOfBoth: SQLTraits = {
        var traits = traitsOfFormats
        traits.readsWithoutTransaction = false
        return traits
    }()

    private static let traitsOfFormats: SQLTraits = {
        var traits = Self.traits
        traits.declaresOtherColumns = true
        return traits
    }()

    private static let traits: SQLTraits = {
        var traits = SQLTraits(
            isDistinctFrom: "IS NOT",
            explainPrefix: "EXPLAIN QUERY PLAN ",
            byteCollation: "BINARY",
            maximumParameterCount: 32_766,
            nullsAreLeast: true
        )
        traits.unlimited = "-1"
        traits.ignoresCaseOfNames = true
        traits.naturalOrderFunction = SQLiteFunctions.naturalOrder
        traits.integerSum = .halves
        // A sum that leaves the range anywhere, in whatever order SQLite adds up, is an error.
        traits.integerOverflow = (.number(Int(SQLITE_ERROR)), "integer overflow")
        traits.joinsRelatedRows = true
        // From 3.39 on; it sorts rows that are grouped by a constant.
        traits.filtersUngroupedRows = SQLiteHandle.libraryVersion >= 3_039_000
        // The parser has room for a hundred entries, of which each subquery within another takes eight.
        traits.subqueryNaming = SubqueryNaming(namePrefix: "sqlite_", numberPrefix: "?")
        // A text of as many digits as any, whose order is that of the numbers.
        traits.walkDepth = SQLWalkDepth(
            start: "'0000000000' COLLATE \(SQLiteFunctions.sameness)",
            next: "printf('%010d', CAST(# AS INTEGER) + 1)",
            value: "CAST(# AS INTEGER)",
            order: " ORDER BY 1 COLLATE BINARY"
        )
        traits.readsWithoutTransaction = true
        // SQLite takes the rows of a table as they come in its pages.
        traits.readsDamagedTables = true
        return traits
    }()

    /// Tables whose names begin with `sqlite_` are SQLite's own.
    func name(_ name: String, of kind: SQLNameKind) -> String {
        guard kind == .table else { return name }
        let isReserved = asciiFolded(name).prefix(7).elementsEqual("sqlite_".utf8)
        return isReserved ? "_" + name : name
    }

    /// Appends the declared type of a field's column, after a note of what it is written as.
    ///
    /// SQLite keeps the text of a declaration, so the note stays with the column when it is renamed, and is
    /// dropped with it.
    func appendType(_ field: FieldSchema, to text: inout SQLText) {
        let field = format(of: field).map { field.stored(as: $0) } ?? field
        text.append(" \(ColumnNotes.text(of: WrittenField(field))) ")
        text.append(declaration(of: field.type, as: field.form.format))
    }

    /// Returns the format of a column of the library's own.
    func format(of field: FieldSchema) -> ColumnFormat? {
        field.form.format ?? formats?(field.type)
    }

    func declaration(of type: FieldType, as format: ColumnFormat?) -> String {
        switch format?.columnKind ?? type.slotKind {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .data, .null: "BLOB"
        }
    }

    /// Appends what holds of every value of a type.
    func appendCheck(of field: FieldSchema, on column: String, to text: inout SQLText) {
        guard field.type == .boolean, format(of: field) == nil else { return }
        text.append(" CHECK (")
        text.append(identifier: column)
        text.append(" IN (0, 1))")
    }

    /// By the rules that give a column its affinity: a field fits where what is written is what is
    /// read.
    ///
    /// What the library has noted of its own column counts, else the format of the field: of a column's declaration it
    /// does not follow how dates are kept.
    func form(of column: SQLTableDescription.Column, for field: FieldSchema) -> SQLColumnForm? {
        let written = column.written(in: self)
        if let format = written == nil ? self.format(of: field) : written?.format {
            return Self.canHold(column, format, of: field.type) ? SQLColumnForm(format) : nil
        }
        if Self.fits(column, field) { return .own }
        guard field.type == .text || field.type == .json, Self.isOfTexts(column) else { return nil }
        // SQLite keeps any text there but one that is a number, and would make numbers of constants: the sign takes
        // the affinity away.
        var form = SQLColumnForm()
        form.value = "(+# COLLATE BINARY)"
        form.rounding = .noNumbers
        return form
    }

    /// Whether a column is declared for dates or other texts by a word that gives it the affinity of numbers.
    private static func isOfTexts(_ column: SQLTableDescription.Column) -> Bool {
        let type = column.type.uppercased()
        let others = ["INT", "CHAR", "CLOB", "TEXT", "BLOB", "REAL", "FLOA", "DOUB"]
        return !others.contains { type.contains($0) }
            && ["DATE", "TIME", "JSON", "STRING", "UUID", "GUID"].contains { type.contains($0) }
    }

    private static func fits(
        _ column: SQLTableDescription.Column,
        _ field: FieldSchema
    ) -> Bool {
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

    /// By the words that programs declare columns with.
    ///
    /// Of a date the type does not say how it is kept.
    func types(of column: SQLTableDescription.Column) -> [FieldType] {
        let type = column.type.uppercased()
        func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        if has("INT") { return [.integer(bits: 64, signed: true)] }
        if has("CHAR", "CLOB", "TEXT") { return [.text] }
        if has("BLOB") { return [.data] }
        if has("REAL", "FLOA", "DOUB", "DEC", "NUM") { return [.double] }
        return has("BOOL") ? [.boolean] : []
    }

    func template(of expression: SQLExpression) -> String {
        switch expression {
        case .parameter: "?"
        case .test(let form, let column): template(of: form, on: column)
        case .keys(let form, let types): template(ofKeys: form, types)
        case .folded: "# COLLATE NOCASE"
        case .comparable: "#"
        case .aggregate(let function, let type): "\(Self.name(of: function, type))(#)"
        // Of integers the sums of the upper and lower halves: neither overflows before the 2^31st row, so the result
        // does not depend on the order in which SQLite adds up.
        case .exactSum(.decimal): "\(SQLiteFunctions.decimalSum)(#)"
        case .exactSum: "SUM(# >> 32), SUM(# & 4294967295)"
        case .comparableSum(.decimal): "COALESCE(\(SQLiteFunctions.decimalSum)(#), X'01')"
        // Of integers the upper half with the carry, then the rest of the lower one.
        case .comparableSum:
            """
            COALESCE(SUM(# >> 32), 0) + (COALESCE(SUM(# & 4294967295), 0) >> 32), \
            COALESCE(SUM(# & 4294967295), 0) & 4294967295
            """
        case .field: "#"
        case .constant: "?"
        case .function(let call): template(of: call)
        case .realSum(let function, isCompared: true): "NULLIF(\(Self.realSum(function))(#), 'NaN')"
        case .realSum(let function, isCompared: false): "\(Self.realSum(function))(#)"
        }
    }

    /// SQLite's own average adds integers up as doubles, in whatever order it comes upon them.
    private static func name(of function: AggregateFunction, _ type: FieldType) -> String {
        switch function {
        case .minimum: "MIN"
        case .maximum: "MAX"
        case .sum: "SUM"
        case .average where type.slotKind == .integer: SQLiteFunctions.average
        case .average where type == .decimal: SQLiteFunctions.decimalAverage
        case .average: "AVG"
        }
    }

    /// SQLite's own functions round at each step, in whatever order it comes upon the rows.
    private static func realSum(_ function: AggregateFunction) -> String {
        function == .sum ? SQLiteFunctions.realSum : SQLiteFunctions.realAverage
    }
}

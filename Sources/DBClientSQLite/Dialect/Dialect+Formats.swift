import DBClientCore
import DBClientSQL

// Columns whose values are in a format that a field or a note of the library says.
extension SQLiteDialect {
    /// Whether a column keeps what is written to it in a format, by the rules that give it its affinity.
    static func canHold(
        _ column: SQLTableDescription.Column,
        _ format: ColumnFormat,
        of field: FieldType
    ) -> Bool {
        let type = column.type.uppercased()
        func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        let isOfText = !has("INT") && has("CHAR", "CLOB", "TEXT")
        let isOfBytes = !has("INT", "CHAR", "CLOB", "TEXT") && has("BLOB")
        let isOfReals = !has("INT", "CHAR", "CLOB", "TEXT", "BLOB") && has("REAL", "FLOA", "DOUB")
        switch format.columnKind {
        // A column of texts makes texts of numbers, one of reals reals of whole numbers, and one of numbers makes numbers
        // of texts that are some.
        case .integer: return !isOfText && !isOfBytes && !(isOfReals && field == .decimal)
        case .real: return !isOfText && !isOfBytes
        case .text: return isOfText || type.isEmpty || !format.mayBeNumericText(of: field)
        case .data, .null: return true
        }
    }
}

extension SQLColumnForm {
    /// Creates the form of a column whose values are in a format.
    init(_ format: ColumnFormat) {
        self.init()
        value = "\(SQLiteFunctions.name(of: .value, format))(#)"
        stored = "\(SQLiteFunctions.name(of: .stored, format))(#)"
        if format.comparesAsStored {
            compared = "\(SQLiteFunctions.name(of: .compared, format))(#)"
            floored = "\(SQLiteFunctions.name(of: .floored, format))(#)"
            ceiled = "\(SQLiteFunctions.name(of: .ceiled, format))(#)"
        }
        rounding = .format(format)
    }
}

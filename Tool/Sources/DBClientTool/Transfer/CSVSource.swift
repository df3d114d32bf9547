import DBClientCore

/// The rows of a CSV file, whose first row names the fields.
struct CSVSource: RowSource {
    private var reader: CSVReader
    private let entity: EntitySchema
    private let fields: [FieldSchema]

    var line: Int { reader.line }

    /// - Throws: ``ToolError`` for a column that is no field, and for a field that every row must have and no column
    ///   is of.
    init(_ input: ByteReader, _ entity: EntitySchema) throws {
        self.entity = entity
        reader = CSVReader(input)
        guard let names = try reader.next() else {
            throw ToolError("The file is empty; its first row must name the fields.")
        }
        var fields: [FieldSchema] = []
        for (column, name) in names.enumerated() {
            guard let name, let position = entity.position(of: name) else {
                throw ToolError(
                    "Line 1, column \(column + 1): \(entity.name) has no field \"\(name ?? "")\".",
                    hint: "Its fields are \(entity.fields.map(\.name).joined(separator: ", "))."
                )
            }
            let field = entity.fields[position]
            guard !fields.contains(field) else {
                throw ToolError("Line 1, column \(column + 1): the field \(name) is there twice.")
            }
            fields.append(field)
        }
        self.fields = fields
    }

    mutating func next() throws -> DynamicRow? {
        guard let values = try reader.next() else { return nil }
        guard values.count == fields.count else {
            throw ToolError(
                "Line \(line): there must be \(fields.count) values, as in the first row; got"
                    + " \(values.count)."
            )
        }
        var row = try DynamicRow(entity)
        for (column, (field, text)) in zip(fields, values).enumerated() {
            guard let text else { continue }
            guard let value = FieldText.value(text, of: field.type) else {
                throw ToolError(
                    "Line \(line), column \(column + 1) (\(field.name)): the value must be"
                        + " \(FieldText.form(of: field.type)); got \(text.prefix(60))."
                )
            }
            try row.set(field.name, to: value, line: line)
        }
        try row.checkRequired(line: line)
        return row
    }
}

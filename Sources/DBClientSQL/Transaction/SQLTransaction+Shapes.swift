public import DBClientCore

// What the database's own catalog says of tables, the library's own and those of other programs.
extension SQLTransaction {
    /// Returns the shapes of all tables and views of the schema.
    public func shapes() throws -> [StoredShape] {
        try enterCall(isOne: false)
        try readSchema()
        return try connection.tables().compactMap { table in
            guard let name = dialect.entityName(ofTable: table) else {
                return StoredShape(
                    name: table,
                    unreadable: "No stored name of an entity leads to a table of this name."
                )
            }
            do {
                return try connection.describe(table).map { found in
                    try TableShape(found, of: name, dialect) {
                        try connection.form(ofValuesIn: $0, of: table)
                    }
                    .shape
                }
            } catch let error as DBClientError
                where Self.concernsOneTable(error) && !connection.hasLostTransaction
            {
                let words =
                    error.engineMessage.map { ": " + EngineWords.withoutConstants($0) } ?? "."
                return StoredShape(name: name, unreadable: "The database cannot read it\(words)")
            }
        }
    }

    /// Whether an error is one of a table or view that does not work, such as a view of a table that is gone.
    private static func concernsOneTable(_ error: DBClientError) -> Bool {
        [.engine, .invalidRequest, .permission].contains(error.code)
    }
}

/// The shape of a table as a model would declare it.
private struct TableShape {
    private let found: SQLTableDescription
    private let name: String
    private let dialect: any SQLDialect
    private var fields: [FieldSchema] = []
    /// The fields by the comparable names of their columns.
    private var positions: [[UInt8]: Int] = [:]
    private var omissions: [StoredShape.Omission] = []

    init(
        _ found: SQLTableDescription,
        of name: String,
        _ dialect: any SQLDialect,
        _ form: (SQLTableDescription.Column) throws -> FieldForm?
    ) throws {
        self.found = found
        self.name = name
        self.dialect = dialect
        let key = Set(key.map(dialect.comparable))
        for column in found.columns {
            let name = dialect.comparable(column.name)
            let isKey = key.contains(name)
            guard
                let field = try field(of: column, isKey: isKey)
                    ?? field(of: column, like: form(column), isKey: isKey)
            else {
                omissions.append(
                    StoredShape.Omission(field: column.name, reason: reason(toOmit: column))
                )
                continue
            }
            positions[name] = fields.count
            fields.append(field)
        }
    }

    var shape: StoredShape {
        func omitted(_ reason: String) -> StoredShape {
            let whole = StoredShape.Omission(field: nil, reason: reason)
            return StoredShape(
                name: name,
                fields: fields,
                primaryKey: [],
                omissions: omissions + [whole]
            )
        }
        if key.isEmpty { return omitted("The table has no primary key and no unique column.") }
        let primaryKey = key.compactMap { positions[dialect.comparable($0)] }
        guard primaryKey.count == key.count else {
            return omitted("No field can hold a column of the primary key.")
        }
        let shape = StoredShape(
            name: name,
            fields: fields,
            primaryKey: primaryKey,
            keyGeneration: found.generatesKeys && primaryKey.count == 1 ? .generated : .given,
            indexes: indexes(beside: primaryKey),
            omissions: omissions
        )
        do {
            // A table that no model could adopt cannot be read by its shape either.
            let entity = EntitySchema(shape)
            try entity.validate()
            _ = try SQLTableComparison(found, TableSQL(entity, dialect)).check(isWriting: false) {
                [:]
            }
            return shape
        } catch {
            return omitted((error as? DBClientError)?.message ?? "\(error)")
        }
    }

    /// The columns of the primary key, or of the first unique index that can serve as one.
    private var key: [String] {
        if !found.primaryKey.isEmpty { return found.primaryKey }
        let required = Set(found.columns.filter(\.isRequired).map { dialect.comparable($0.name) })
        let unique = found.indexes.first { index in
            index.isUnique && index.columns.allSatisfy { required.contains(dialect.comparable($0)) }
        }
        return unique?.columns ?? []
    }

    private func indexes(beside primaryKey: [Int]) -> [IndexSchema] {
        var indexes: [IndexSchema] = []
        for index in found.indexes {
            let positions = index.columns.compactMap { self.positions[dialect.comparable($0)] }
            let schema = IndexSchema(fields: positions, isUnique: index.isUnique)
            let isOfKey = index.isUnique && Set(positions) == Set(primaryKey)
            if positions.count == index.columns.count, !isOfKey, !indexes.contains(schema),
                !positions.contains(where: { fields[$0].type == .json })
            {
                indexes.append(schema)
            }
        }
        return indexes.sorted {
            ($0.fields.count == 1 ? 0 : 1, $0.fields[0]) < (
                $1.fields.count == 1 ? 0 : 1, $1.fields[0]
            )
        }
    }

    /// Returns the field of a column: what it was written as, or the first type that its declaration can hold.
    private func field(of column: SQLTableDescription.Column, isKey: Bool) -> FieldSchema? {
        guard let name = dialect.fieldName(ofColumn: column.name) else { return nil }
        // A new row has no value of a column that the database computes.
        let isOptional = (!column.isRequired || column.generation != nil) && !isKey
        var candidates = dialect.types(of: column).map {
            FieldSchema(name: name, type: $0, isOptional: isOptional)
        }
        if let form = column.written(in: dialect), let type = form.type {
            candidates = [FieldSchema(name: name, type: type, isOptional: isOptional, form: form)]
        }
        return candidates.first { field in
            dialect.form(of: column, for: field) != nil
                && (field.type.slotKind != .text || !isKey || column.collation != .ofOwnEquality)
        }
    }

    /// Returns the field of a column whose declared type fits none, and whose values are in a form; nil where they are
    /// not.
    ///
    /// A key's must be in one that tells what they are: values of a key that come later are found by it.
    private func field(
        of column: SQLTableDescription.Column,
        like form: FieldForm?,
        isKey: Bool
    ) -> FieldSchema? {
        guard let form, let type = form.type, !isKey || form.format != nil,
            let name = dialect.fieldName(ofColumn: column.name)
        else { return nil }
        let isOptional = (!column.isRequired || column.generation != nil) && !isKey
        let field = FieldSchema(name: name, type: type, isOptional: isOptional, form: form)
        return dialect.form(of: column, for: field) != nil ? field : nil
    }

    private func reason(toOmit column: SQLTableDescription.Column) -> String {
        if dialect.fieldName(ofColumn: column.name) == nil {
            return "No stored name of a field leads to a column of this name."
        }
        if column.type.isEmpty {
            return "The column has no declared type, which says what it holds."
        }
        if column.collation == .ofOwnEquality {
            return "The key's column, \(column.type), takes different texts for equal ones."
        }
        return "No type of a field is that of the column's declared type \(column.type)."
    }
}

extension EntitySchema {
    fileprivate convenience init(_ shape: StoredShape) {
        self.init(
            name: shape.name,
            fields: shape.fields,
            primaryKey: shape.primaryKey,
            keyGeneration: shape.keyGeneration,
            indexes: shape.indexes,
            failure: nil
        )
    }
}

extension SQLDialect {
    /// Returns the stored name of the entity whose table has a name; nil where there is none.
    fileprivate func entityName(ofTable table: String) -> String? {
        parts(ofTable: table).schema == nil ? stored(table) { tableName(of: $0) } : nil
    }

    /// Returns the stored name of the field whose column has a name; nil where there is none.
    fileprivate func fieldName(ofColumn column: String) -> String? {
        stored(column) { columnName(of: $0) }
    }

    /// A reserved name has one underscore more in the database.
    private func stored(_ name: String, _ named: (String) -> String) -> String? {
        let shorter = String(name.dropFirst())
        if named(shorter).utf8.elementsEqual(name.utf8) { return shorter }
        return named(name).utf8.elementsEqual(name.utf8) ? name : nil
    }
}

public import DBClientCore

// Tables are made by the first write to their entity, and checked by the first use on a connection.
extension SQLTransaction {
    /// Returns the table of an entity, or nil when there is none yet: to a reader it is empty.
    func table(reading entity: EntitySchema) throws -> (any SQLTable)? {
        if let table = tables.table(of: entity, isWriting: false) { return table }
        try readSchema()
        let sql = TableSQL(entity, connection.dialect)
        guard let description = try connection.describe(sql.name) else { return nil }
        try Self.check(description, sql)
        let table = try connection.table(sql)
        tables.insert(table, isWritable: false, wasMade: false)
        return table
    }

    /// Returns the table of an entity, made complete where it is not.
    func table(writing entity: EntitySchema) throws -> any SQLTable {
        try connection.checkTransaction()
        if let table = tables.table(of: entity, isWriting: true) { return table }
        try readSchema()
        let sql = TableSQL(entity, connection.dialect)
        var wasMade = false
        let description: SQLTableDescription
        if let found = try connection.describe(sql.name) {
            try Self.check(found, sql)
            description = found
        } else {
            try run(connection.dialect.createTable(entity), on: entity)
            wasMade = true
            description = SQLTableDescription(columns: [], primaryKey: [], indexes: [])
        }
        for index in entity.indexes {
            let columns = index.fields.map { sql.columnName($0) }
            if description.has(columns, isUnique: index.isUnique, comparing: sql.dialect.comparable)
            {
                continue
            }
            let name = try indexName(sql.name, columns, index.isUnique)
            try run(sql.createIndex(index, named: name), on: entity)
            wasMade = true
        }
        if wasMade { try didChangeSchema() }
        let table = try connection.table(sql)
        tables.insert(table, isWritable: true, wasMade: wasMade)
        return table
    }

    /// Makes the table of an entity where there is none.
    public func makeTable(of entity: EntitySchema) throws {
        _ = try table(writing: entity)
    }

    private func run(_ sql: String, on entity: EntitySchema) throws {
        _ = try connection.prepareOnce(sql).execute(on: entity)
    }

    /// Throws how a table differs from what the entity needs.
    ///
    /// More columns than that are welcome as long as a row can do without them.
    private static func check(_ found: SQLTableDescription, _ sql: TableSQL) throws {
        let entity = sql.entity
        let comparable = sql.dialect.comparable
        func mismatch(
            _ message: String,
            _ field: String?,
            hint: String = """
            Change the table with SQL, such as ALTER TABLE, or give the changed model a stored name of \
            its own.
            """
        ) -> DBClientError {
            DBClientError(
                .schemaMismatch,
                message,
                entity: entity.name,
                field: field,
                hint: hint
            )
        }
        var columns: [[UInt8]: SQLTableDescription.Column] = [:]
        for column in found.columns { columns[comparable(column.name)] = column }
        for field in entity.fields {
            let name = sql.dialect.columnName(of: field.name)
            guard let column = columns.removeValue(forKey: comparable(name)) else {
                if let other = found.columns.first(where: {
                    EntitySchema.differInCaseAlone($0.name, name)
                }) {
                    throw mismatch(
                        "The table's column for the field differs from it in the case of A to Z.",
                        field.name,
                        hint: "Give the field the stored name \"\(other.name)\"."
                    )
                }
                throw mismatch("The table has no column for the field.", field.name)
            }
            guard sql.dialect.fits(column, field) else {
                throw mismatch(
                    "The column's declared type cannot hold a \(field.type.name).",
                    field.name
                )
            }
            if field.type.slotKind == .text, !column.comparesBytes {
                throw mismatch(
                    "The column's collation is not that of bytes.",
                    field.name,
                    hint: "Declare the column with the collation \(sql.dialect.byteCollation)."
                )
            }
            if field.isOptional && column.isRequired {
                throw mismatch("The field may be absent, the column may not.", field.name)
            }
        }
        for column in found.columns
        where columns[comparable(column.name)] != nil && column.isRequired && !column.hasDefault {
            throw mismatch("The table requires a column that the model lacks.", column.name)
        }
        let keys = entity.primaryKey.map { sql.columnName($0) }
        guard found.isUnique(keys, comparing: comparable) else {
            throw mismatch("The model's primary key is not unique in the table.", keys.first)
        }
    }

    /// Returns a name that nothing else has: that of the fields, which other names may run into.
    private func indexName(
        _ table: String,
        _ columns: [String],
        _ isUnique: Bool
    ) throws -> String {
        let base = ([table] + columns).joined(separator: "_")
        let mark = (isUnique ? "_unique" : "") + "_index"
        var name = named(base, mark)
        var number = 2
        while try connection.isNameTaken(name) {
            name = named(base, "\(mark)_\(number)")
            number += 1
        }
        return name
    }

    /// Returns a name with an end, cut before the end to what the database keeps whole.
    private func named(_ base: String, _ end: String) -> String {
        let room = connection.dialect.maximumNameLength - end.utf8.count
        if base.utf8.count <= room { return base + end }
        var name = ""
        for scalar in base.unicodeScalars {
            if name.utf8.count + UTF8.width(scalar) > room { break }
            name.unicodeScalars.append(scalar)
        }
        return name + end
    }
}

extension SQLTableDescription {
    /// Whether an index over exactly these columns is there.
    fileprivate func has(
        _ columns: [String],
        isUnique: Bool,
        comparing comparable: (String) -> [UInt8]
    ) -> Bool {
        let wanted = columns.map(comparable)
        return indexes.contains {
            $0.isUnique == isUnique && $0.columns.map(comparable) == wanted
        }
    }

    /// Whether no two rows can be equal in all of these columns.
    fileprivate func isUnique(
        _ columns: [String],
        comparing comparable: (String) -> [UInt8]
    ) -> Bool {
        let wanted = Set(columns.map(comparable))
        return Set(primaryKey.map(comparable)) == wanted
            || indexes.contains { $0.isUnique && Set($0.columns.map(comparable)) == wanted }
    }
}

extension SQLDialect {
    /// Returns the bytes of a column's name so that two which the database takes for one are equal.
    fileprivate func comparable(_ name: String) -> [UInt8] {
        ignoresCaseOfNames ? Array(asciiFolded(name)) : Array(name.utf8)
    }
}

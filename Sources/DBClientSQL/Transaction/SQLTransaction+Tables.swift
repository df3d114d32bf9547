public import DBClientCore

// Tables are made by the first write to their entity, and checked by the first use on a connection.
extension SQLTransaction {
    /// Returns the table of an entity, or nil when there is none yet: to a reader it is empty.
    ///
    /// Where others may make it at the same time, a transaction that writes makes it instead, so that they and
    /// it notice each other: of what is not there the database cannot tell that it was read.
    func table(reading entity: EntitySchema) throws -> (any SQLTable)? {
        if let table = tables.table(of: entity, isWriting: false) { return table }
        let sql = TableSQL(entity, connection.dialect)
        schemaVersion.usage.note(entity)
        guard try describe(sql) != nil else {
            guard try connection.makesTablesItReads() else { return nil }
            try connection.checkTransaction()
            return try completed(sql, nil)
        }
        let table = try connection.table(sql)
        tables.insert(table, isWritable: false, wasMade: false)
        return table
    }

    /// Returns the table of an entity, made complete where it is not.
    func table(writing entity: EntitySchema) throws -> any SQLTable {
        try connection.checkTransaction()
        if let table = tables.table(of: entity, isWriting: true) { return table }
        let sql = TableSQL(entity, connection.dialect)
        return try completed(sql, describe(sql))
    }

    /// Returns what the database has of a table, once it fits the entity; nil where there is none.
    private func describe(_ sql: TableSQL) throws -> SQLTableDescription? {
        try readSchema()
        let found = try connection.describe(sql.name)
        if let found { try SQLTableComparison(found, sql).check() }
        return found
    }

    /// Returns a table of which the database has so much, made complete where it is not.
    private func completed(_ sql: TableSQL, _ found: SQLTableDescription?) throws -> any SQLTable {
        let missing = sql.entity.indexes.filter { index in
            let columns = index.fields.map { sql.columnName($0) }
            return found?.has(columns, isUnique: index.isUnique, comparing: sql.dialect.comparable)
                != true
        }
        let isMade = found == nil || !missing.isEmpty
        if isMade { try make(sql, isThere: found != nil, missing) }
        let table = try connection.table(sql)
        tables.insert(table, isWritable: true, wasMade: isMade)
        return table
    }

    /// Makes a table unless it is there, and indexes of it: all, or nothing where one cannot be made, for the
    /// transaction may go on after the error.
    private func make(_ sql: TableSQL, isThere: Bool, _ indexes: [IndexSchema]) throws {
        try connection.beginSavepoint()
        do {
            if !isThere {
                try run(connection.dialect.createTable(sql.entity), on: sql.entity)
                let columns = sql.entity.fields.indices.map { field in
                    (sql.columnName(field), WrittenField(sql.entity.fields[field]))
                }
                let note = connection.dialect.note(columns, of: sql.name, beside: nil)
                if let note { try run(note, on: sql.entity) }
                try connection.didMake(sql.name, of: sql.entity)
            }
            for index in indexes {
                let columns = index.fields.map { sql.columnName($0) }
                let name = try indexName(sql.name, columns, index.isUnique)
                try run(sql.createIndex(index, named: name), on: sql.entity)
            }
        } catch {
            // The error that matters is the one before.
            try? connection.rollbackSavepoint()
            throw error
        }
        try connection.releaseSavepoint()
        try didChangeSchema()
    }

    /// Makes the table of an entity where there is none.
    public func makeTable(of entity: EntitySchema) throws {
        _ = try table(writing: entity)
    }

    func run(_ sql: String, on entity: EntitySchema) throws {
        _ = try connection.prepareOnce(sql).execute(on: entity)
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
}

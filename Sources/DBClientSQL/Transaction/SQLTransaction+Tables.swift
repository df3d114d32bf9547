public import DBClientCore

// Tables are made by the first write to their entity, and checked by the first use on a connection.
extension SQLTransaction {
    /// Returns the table of an entity, or nil when there is none yet: to a reader it is empty.
    ///
    /// Where another transaction may make it at the same time, one that writes makes it instead, so that the two
    /// notice each other: the database does not track reads of a table that does not exist.
    ///
    /// - Throws: `.migrationRequired` for a stored view that is not there as its model defines it.
    func table(reading entity: EntitySchema) throws -> (any SQLTable)? {
        let table = try existingTable(of: entity)
        if entity.isView {
            try entity.checkMayRead(markedAs: table?.sql.viewMark) { source in
                try existingTable(of: source).map { $0.sql.viewMark }
            }
        }
        return table
    }

    private func existingTable(of entity: EntitySchema) throws -> (any SQLTable)? {
        if let table = tables.table(of: entity, isWriting: false) { return table }
        let sql = TableSQL(entity, dialect)
        schemaVersion.usage.note(entity)
        guard try describe(sql, isWriting: false) != nil else {
            let isElsewhere = dialect.parts(ofTable: sql.name).schema != nil
            guard try connection.makesTablesItReads(),
                try !isElsewhere || connection.mayWrite(sql.name)
            else { return nil }
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
        // Rows of which views are kept are written by those alone that keep them.
        try hold(entity.hasViews ? entity.views.mark : nil)
        if let table = tables.table(of: entity, isWriting: true) { return table }
        let sql = TableSQL(entity, dialect)
        return try completed(sql, describe(sql))
    }

    /// Makes a table complete but for the indexes that the database builds after the migration is committed.
    func completeAltered(_ entity: EntitySchema) throws {
        let sql = TableSQL(entity, dialect)
        _ = try completed(sql, describe(sql), isMigrating: true)
    }

    /// Returns what the database has of a table, once it fits the entity; nil where there is none.
    private func describe(
        _ sql: TableSQL,
        isWriting: Bool = true
    ) throws -> SQLTableDescription? {
        try readSchema()
        let found = try connection.describe(sql.name)
        if let found {
            let comparison = SQLTableComparison(found, sql)
            (sql.forms, sql.errorOfNewRows) = try comparison.check(isWriting: isWriting) {
                try initialLiterals(of: sql.entity)
            }
            sql.noteGenerated(in: found)
            if sql.entity.hasViews { sql.viewMark = try connection.viewMark(of: sql.name) }
        }
        return found
    }

    /// Returns a table, with what the database lacks of it added.
    ///
    /// Links that another program has orphaned are deleted as their table is completed, where the database
    /// prevents new ones from then on.
    private func completed(
        _ sql: TableSQL,
        _ found: SQLTableDescription?,
        isMigrating: Bool = false
    ) throws -> any SQLTable {
        var missing = found?.missingIndexes(of: sql) ?? sql.entity.indexes
        if found != nil, !missing.isEmpty, try !connection.buildsIndexes(of: sql.name) {
            // To build one would keep all writers waiting for as long as there are rows.
            if isMigrating {
                try connection.note(.didLeaveOutIndexes(sql.entity))
            } else if let unique = missing.first(where: \.isUnique) {
                throw sql.entity.lacksIndex(unique)
            }
            missing = []
        }
        var isMade = found == nil || !missing.isEmpty
        if isMade { try make(sql, isThere: found != nil, missing) }
        if found == nil, traits.declaresOtherColumns || sql.entity.hasFormats {
            _ = try describe(sql)
        }
        if let owner = sql.entity.linkOwner, try tie(sql, to: owner, isNew: found == nil) {
            isMade = true
        }
        let table = try connection.table(sql)
        tables.insert(table, isWritable: true, wasMade: isMade)
        return table
    }

    /// Makes a table unless it is there, and indexes of it: all, or nothing where one cannot be made, for the
    /// transaction may go on after the error.
    private func make(_ sql: TableSQL, isThere: Bool, _ indexes: [IndexSchema]) throws {
        try connection.savepoint(.begin)
        do {
            if !isThere {
                let change = SQLTableChange.create(
                    sql.entity,
                    beginningWith: try initialLiterals(of: sql.entity)
                )
                for statement in dialect.statements(for: change, of: sql.name) {
                    try run(statement, on: sql.entity)
                }
                try connection.note(.didCreate(table: sql.name, sql.entity))
            }
            for index in indexes {
                try run(sql.createIndex(index, named: indexName(index, sql)), on: sql.entity)
            }
        } catch {
            // The error that matters is the one before.
            try? connection.savepoint(.rollback)
            throw error
        }
        try connection.savepoint(.release)
        try didChangeSchema()
    }

    /// Returns what fields begin with in the model, as constants of the database.
    private func initialLiterals(of entity: EntitySchema) throws -> [Int: String] {
        var literals: [Int: String] = [:]
        for (position, value) in entity.initialValues() {
            literals[position] = try value.withSlot {
                try connection.literal($0, of: entity.fields[position])
            }
        }
        return literals
    }

    /// Ties links to their owners, and returns whether the database was changed for it.
    private func tie(_ links: TableSQL, to owner: LinkOwner, isNew: Bool) throws -> Bool {
        untiedLinks[links.entity] = nil
        absentLinks.remove(links.entity)
        switch try connection.tieLinks(links, to: owner, isNew: isNew) {
        case .tied(let isChanged):
            if isChanged { try didChangeSchema() }
            if isChanged, !isNew {
                // An owner that was just inserted may have links that were left of one before it.
                untiedLinks[links.entity] = (false, false)
            }
            return isChanged
        case .none: untiedLinks[links.entity] = (false, isNew)
        case .ownerMissing: untiedLinks[links.entity] = (true, isNew)
        }
        return false
    }

    /// Whether an entity may have links whose owner is gone.
    public func mayKeepLinksOfDeleted(_ links: EntitySchema) throws -> Bool {
        if tables.table(of: links, isWriting: true) == nil {
            // What is not there yet is made by the first link, and tied.
            if absentLinks.contains(links) { return false }
            guard try connection.isNameTaken(dialect.tableName(of: links)) else {
                absentLinks.insert(links)
                return false
            }
        }
        let table = try table(writing: links)
        guard let owner = links.linkOwner,
            let untied = untiedLinks[links]
        else { return false }
        if untied.mayBeTied, try tie(table.sql, to: owner, isNew: untied.isNew) {
            tables.insert(table, isWritable: true, wasMade: true)
        }
        return untiedLinks[links] != nil
    }

    /// Makes the table of an entity where there is none.
    public func makeTable(of entity: EntitySchema) throws {
        _ = try table(writing: entity)
    }

    func run(_ sql: String, on entity: EntitySchema) throws {
        _ = try connection.prepare(sql, for: .once).execute(on: entity)
    }

    /// Returns a name that nothing else has: that of the fields, which other names may run into.
    package func indexName(_ index: IndexSchema, _ sql: TableSQL) throws -> String {
        let columns = index.fields.map { sql.columnName($0) }
        var base = ([dialect.parts(ofTable: sql.name).name] + columns).joined(separator: "_")
        // A dot would end the name of a schema.
        if traits.namesSchemas { base.replace(".", with: "_") }
        let mark = (index.isUnique ? "_unique" : "") + "_index"
        var name = named(base, mark)
        var number = 2
        while try connection.isNameTaken(dialect.name(name, besideTable: sql.name)) {
            name = named(base, "\(mark)_\(number)")
            number += 1
        }
        return name
    }

    /// Returns a name with an end, cut before the end to what the database keeps whole.
    private func named(_ base: String, _ end: String) -> String {
        let room = traits.maximumNameLength - end.utf8.count
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
    /// Returns the indexes of an entity that the table lacks.
    package func missingIndexes(of sql: TableSQL) -> [IndexSchema] {
        sql.entity.indexes.filter { index in
            let columns = index.fields.map { sql.columnName($0) }
            return !has(columns, isUnique: index.isUnique, comparing: sql.dialect.comparable)
        }
    }

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

import DBClientCore
import DBClientSQL

/// Reads what a SQLite file says of its tables, on one snapshot.
struct SQLiteCatalogReader {
    /// How many rows of a table are looked at to tell what its columns hold.
    static let sampledRows = 10_000

    let transaction: ReadTransaction

    func catalog() throws -> DatabaseCatalog {
        var catalog = DatabaseCatalog()
        let found = try transaction.rows(
            """
            SELECT t.name, t.type, s.sql FROM pragma_table_list AS t
            JOIN sqlite_schema AS s ON s.name = t.name
            WHERE t.schema = 'main' AND t.type <> 'shadow' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            ORDER BY t.name COLLATE BINARY
            """
        )
        for row in found {
            let name = try row.value("name", as: String.self)
            if name == RelationshipNotes.table {
                catalog.relationships = try RelationshipNotes(transaction).relationships()
            }
            if DatabaseCatalog.bookkeeping.contains(name) { continue }
            let type = try row.value("type", as: String.self)
            let declaration = SQLiteDeclaration(row["sql", as: String.self] ?? "")
            do {
                catalog.tables.append(try table(name, type, declaration))
            } catch let error as DBClientError
                where type == "view" && [.engine, .invalidRequest].contains(error.code)
            {
                // One of a table that is gone, say.
                catalog.tables.append(
                    CatalogTable(name: name, kind: .other("view that does not work"))
                )
            }
        }
        return catalog
    }

    private func table(
        _ name: String,
        _ type: String,
        _ declaration: SQLiteDeclaration
    ) throws -> CatalogTable {
        var table = CatalogTable(name: name)
        switch type {
        case "table": table.kind = .table
        case "view": table.kind = .view
        default: table.kind = .other("\(type) table")
        }
        guard table.kind == .table || table.kind == .view else { return table }
        let rows = try transaction.rows(
            """
            SELECT name, type, "notnull" AS required, dflt_value, pk, hidden
            FROM pragma_table_xinfo(\(name)) ORDER BY cid
            """
        )
        let indexes = try indexes(of: name)
        var keys: [(rank: Int, name: String)] = []
        for row in rows {
            let rank = try row.value("pk", as: Int.self)
            if rank > 0 { keys.append((rank, try row.value("name", as: String.self))) }
        }
        table.primaryKey = keys.sorted { $0.rank < $1.rank }.map(\.name)
        table.foreignKeys = try foreignKeys(of: name)
        for row in rows {
            let column = try row.value("name", as: String.self)
            let isKey = table.primaryKey.contains(column)
            table.columns.append(
                try self.column(
                    row,
                    of: table,
                    // A key has an index unless it is the row's number.
                    isRowNumber: isKey && !indexes.hasKey,
                    declaration[column] ?? SQLiteDeclaration.Column()
                )
            )
        }
        table.indexes = indexes.all
        return table
    }

    private func column(
        _ row: SQLRow,
        of table: CatalogTable,
        isRowNumber: Bool,
        _ declared: SQLiteDeclaration.Column
    ) throws -> CatalogColumn {
        let name = try row.value("name", as: String.self)
        let type = try row.value("type", as: String.self)
        let isKey = table.primaryKey.contains(name)
        let isForeignKey = table.foreignKeys.contains { $0.columns.contains(name) }
        let sample = try sample(name, of: table)
        var meaning: ColumnMeaning
        var format: ColumnFormat?
        let probe = SQLiteFormatProbe(transaction: transaction, table: table.name, column: name)
        if let note = declared.note.flatMap(WrittenNote.init), let kind = note.kind {
            meaning = .field(kind)
            format = note.format
        } else if let found = try probe.format(ofDeclared: type, sample.classes) {
            format = found.0
            meaning = .field(found.1)
        } else {
            meaning = SQLiteColumnRule.meaning(
                ofDeclared: type,
                isKey: isKey || isForeignKey,
                sample.classes
            )
        }
        if case .field(.text, nil) = meaning, let collation = declared.collation,
            collation != "BINARY"
        {
            meaning = .field(.text, remark: "Compared with the collation \(collation).")
        }
        let hidden = try row.value("hidden", as: Int.self)
        return CatalogColumn(
            name: name,
            declaredType: type,
            meaning: meaning,
            format: format,
            isRequired: try row.value("required", as: Int.self) != 0 || isRowNumber,
            defaultValue: try row.value("dflt_value", as: String?.self),
            source: hidden > 1 ? .computed : isRowNumber ? .sequence : .row,
            holdsZero: isKey && sample.hasZero,
            holdsNull: sample.hasNull
        )
    }

    private func sample(
        _ column: String,
        of table: CatalogTable
    ) throws -> (classes: SQLiteColumnRule.Sample, hasZero: Bool, hasNull: Bool) {
        let rows = try transaction.rows(
            """
            SELECT typeof(v) AS kind,
                min(CASE typeof(v) WHEN 'integer' THEN v END) AS least,
                max(CASE typeof(v) WHEN 'integer' THEN v END) AS most,
                min(length(v)) AS shortest, max(length(v)) AS longest, max(v = 0) AS zero
            FROM (SELECT \(identifier: column) AS v FROM \(identifier: table.name) LIMIT \(Self.sampledRows))
            GROUP BY typeof(v)
            """
        )
        var sample = SQLiteColumnRule.Sample()
        var hasZero = false
        var hasNull = false
        for row in rows {
            switch try row.value("kind", as: String.self) {
            case "integer":
                sample.hasIntegers = true
                let least = try row.value("least", as: Int.self)
                let most = try row.value("most", as: Int.self)
                sample.areTruthValues = least >= 0 && most <= 1
                hasZero = try row.value("zero", as: Int.self) != 0
            case "real": sample.hasReals = true
            case "text": sample.hasTexts = true
            case "blob":
                sample.hasBlobs = true
                let shortest = try row.value("shortest", as: Int.self)
                sample.areUUIDs = try shortest == 16 && row.value("longest", as: Int.self) == 16
            default: hasNull = true
            }
        }
        return (sample, hasZero, hasNull)
    }

    private func indexes(of table: String) throws -> (all: [CatalogIndex], hasKey: Bool) {
        let rows = try transaction.rows(
            """
            SELECT list.name AS name, list."unique" AS is_unique, list.origin AS origin,
                list.partial AS partial, info.name AS column_name, info.coll AS collation
            FROM pragma_index_list(\(table)) AS list, pragma_index_xinfo(list.name) AS info
            WHERE info.key = 1 ORDER BY list.name COLLATE BINARY, info.seqno
            """
        )
        var indexes: [CatalogIndex] = []
        var hasKey = false
        for row in rows {
            let name = try row.value("name", as: String.self)
            if try row.value("origin", as: String.self) == "pk" {
                hasKey = true
                continue
            }
            if indexes.last?.name != name {
                indexes.append(
                    CatalogIndex(
                        name: name,
                        columns: [],
                        isUnique: try row.value("is_unique", as: Int.self) != 0,
                        isPlain: try row.value("partial", as: Int.self) == 0
                    )
                )
            }
            let last = indexes.count - 1
            guard let column = try row.value("column_name", as: String?.self) else {
                indexes[last].isPlain = false
                continue
            }
            indexes[last].columns.append(column)
            if try row.value("collation", as: String.self) != "BINARY" {
                indexes[last].isPlain = false
            }
        }
        return (indexes, hasKey)
    }

    private func foreignKeys(of table: String) throws -> [CatalogForeignKey] {
        let rows = try transaction.rows(
            """
            SELECT id, "table" AS target, "from" AS own, "to" AS other, on_delete
            FROM pragma_foreign_key_list(\(table)) ORDER BY id, seq
            """
        )
        var keys: [(id: Int, key: CatalogForeignKey)] = []
        for row in rows {
            let id = try row.value("id", as: Int.self)
            if keys.last?.id != id {
                let rule = try row.value("on_delete", as: String.self)
                keys.append(
                    (
                        id,
                        CatalogForeignKey(
                            columns: [],
                            table: try row.value("target", as: String.self),
                            targets: [],
                            onDelete: Self.rules[rule] ?? .noAction
                        )
                    )
                )
            }
            keys[keys.count - 1].key.columns.append(try row.value("own", as: String.self))
            if let target = try row.value("other", as: String?.self) {
                keys[keys.count - 1].key.targets.append(target)
            }
        }
        return keys.map(\.key).sorted { $0.columns.lexicographicallyPrecedes($1.columns) }
    }

    private static let rules: [String: CatalogForeignKey.Rule] = [
        "CASCADE": .cascade, "SET NULL": .setNull, "SET DEFAULT": .setDefault,
    ]
}

import DBClientCore

/// Compares a table as the database has it with what an entity needs.
///
/// Extra columns are accepted as long as a row can omit them.
///
/// A column that the library created must match the type that it was written as. One that another program created
/// must have a declared type that can hold the field, and so must one that was redeclared since.
struct SQLTableComparison {
    private let found: SQLTableDescription
    private let sql: TableSQL

    /// A difference between the stored table and its entity.
    private enum Issue {
        /// A field has no column; perhaps one whose name differs in case.
        case missing(Int, twin: String?)
        case type(Int, found: String)
        /// The column's values were written as those of another field.
        case written(Int, WrittenField)
        case collation(Int)
        /// The field may be absent, the column may not.
        case relaxed(Int)
        /// A column that no field has, and whether a row must have it.
        case surplus(String, isRequired: Bool)
        case key
        /// The rows are spread over servers by other columns than the shard key.
        case shards
    }

    init(_ found: SQLTableDescription, _ sql: TableSQL) {
        self.found = found
        self.sql = sql
    }

    private var entity: EntitySchema { sql.entity }

    /// Throws where a difference makes the table unusable, and names all of them, with the statements that mend them.
    ///
    /// A column that the model lacks stops new rows at most, which is said where one is written. What has no key, as a
    /// view, is there to be read.
    ///
    /// - Parameters:
    ///   - isWriting: Whether rows are to be written.
    ///   - literals: Returns what fields begin with in the model, for columns that are missing.
    /// - Returns: How statements write the fields, nothing where all columns are as the library declares them; and the
    ///   error of a new row, where the table requires a column that the model lacks.
    /// - Throws: `.schemaMismatch`.
    func check(
        isWriting: Bool,
        literals: () throws -> [Int: String]
    ) throws -> (forms: [SQLColumnForm], errorOfNewRows: DBClientError?) {
        var issues: [Issue] = []
        var isUsable = true
        var errorOfNewRows: DBClientError?
        let forms = forEachIssue { issue in
            switch issue {
            case .surplus(_, isRequired: false): return
            case .surplus: errorOfNewRows = errorOfNewRows ?? self.error(of: issue)
            case .key where found.hasNoKey && !isWriting: break
            default: isUsable = false
            }
            issues.append(issue)
        }
        if isWriting, found.isMaterialisedView, isUsable {
            // An index may make its rows unique.
            isUsable = false
            issues.append(.key)
        }
        if isUsable { return (forms, errorOfNewRows) }
        let errors = issues.map { self.error(of: $0) }
        var error = errors[0]
        if errors.count > 1 {
            let texts = errors.map { ($0.field.map { "\($0): " } ?? "") + $0.message }
            error = DBClientError(
                .schemaMismatch,
                "The table differs from the model in \(errors.count) ways. \(texts.joined(separator: " "))",
                entity: entity.name,
                field: error.field,
                hint: errors.allSatisfy { $0.hint == error.hint } ? error.hint : hint
            )
        }
        let repair = SQLTableRepair(sql, (try? literals()) ?? [:])
        let hints = [error.hint].compactMap { $0 } + issues.compactMap { advice(on: $0, repair) }
        if !hints.isEmpty { error.hint = hints.joined(separator: " ") }
        throw error
    }

    /// Returns the statements that mend a difference, or that there are none; nil where another hint helps.
    private func advice(on issue: Issue, _ repair: SQLTableRepair) -> String? {
        switch issue {
        case .missing(_, twin: .some), .written: nil
        case .missing(let field, twin: nil): repair.addition(of: field)
        case .collation(let field): repair.redeclaration(of: field)
        case .type(let field, _):
            [repair.redeclaration(of: field), repair.format(of: field)].compactMap(\.self)
                .joined(separator: " ")
        case .relaxed(let field): repair.relaxation(of: field)
        case .surplus(let column, _): repair.relaxation(of: column)
        case .key: repair.key
        case .shards: nil
        }
    }

    /// What to do about a difference: a migration is for tables that the library made.
    private var hint: String {
        found.columns.contains { $0.written != nil }
            ? "Migrate the store to the model, or change the table with SQL."
            : "The library did not make the table. Change the model, or the table with SQL."
    }

    /// Returns all differences.
    ///
    /// - Throws: `.schemaMismatch` for a column whose name differs from a field's in case alone.
    func difference() throws -> ShapeDifference {
        var difference = ShapeDifference()
        _ = try forEachIssue { issue in
            switch issue {
            case .missing(_, twin: .some): throw error(of: issue)
            case .missing(let field, twin: nil): difference.missing.append(field)
            case .type(let field, _), .collation(let field), .written(let field, _):
                difference.unfit.append(field)
            case .relaxed(let field): difference.relaxed.append(field)
            case .surplus(let name, let isRequired):
                difference.surplus.append(name)
                if isRequired { difference.required.append(name) }
            case .key, .shards: difference.hasOtherKey = true
            }
        }
        let missing = found.missingIndexes(of: sql)
        difference.unindexed = entity.indexes.indices.filter {
            missing.contains(entity.indexes[$0])
        }
        let comparable = sql.dialect.comparable
        for position in entity.fields.indices {
            let name = comparable(sql.columnName(position))
            guard let column = found.columns.first(where: { comparable($0.name) == name }) else {
                continue
            }
            difference.written[position] = written(column)?.form
        }
        return difference
    }

    /// Calls a function with each difference, in the order of the fields and then of the columns.
    ///
    /// - Returns: How statements write the fields that have none; nothing where all columns are as the library declares
    ///   them.
    private func forEachIssue(_ body: (Issue) throws -> Void) rethrows -> [SQLColumnForm] {
        var forms: [SQLColumnForm] = []
        let comparable = sql.dialect.comparable
        var columns: [[UInt8]: SQLTableDescription.Column] = [:]
        for column in found.columns { columns[comparable(column.name)] = column }
        for (position, field) in entity.fields.enumerated() {
            let name = sql.columnName(position)
            guard let column = columns.removeValue(forKey: comparable(name)) else {
                let twin = found.columns.first {
                    EntitySchema.differInCaseAlone($0.name, name)
                }
                try body(.missing(position, twin: twin?.name))
                continue
            }
            let written = written(column)
            let form = sql.dialect.collatedForm(of: column, for: field)
            if let form, form != .own {
                if forms.isEmpty { forms = entity.fields.map { _ in .own } }
                forms[position] = form
            }
            if let written, !written.form.fits(field.form) {
                try body(.written(position, written))
            } else if form == nil {
                try body(.type(position, found: column.type))
            } else if field.type.slotKind == .text, column.collation == .ofOwnEquality,
                entity.primaryKey.contains(position)
            {
                try body(.collation(position))
            } else if field.isOptional && column.isRequired && column.generation == nil {
                try body(.relaxed(position))
            } else if let written, written.isOptional, !field.isOptional, !column.isRequired {
                try body(.written(position, written))
            }
        }
        for column in found.columns where columns[comparable(column.name)] != nil {
            let isRequired = column.isRequired && !column.hasDefault
            try body(.surplus(column.name, isRequired: isRequired))
        }
        let keys = entity.primaryKey.map { sql.columnName($0) }
        if !found.isUnique(keys, comparing: comparable) {
            if found.shardColumns.isEmpty || entity.shardKey == nil {
                try body(.key)
            } else if found.shardColumns.map(comparable)
                != entity.shardKey.map({ [comparable(sql.columnName($0))] })
            {
                try body(.shards)
            }
        }
        return forms
    }

    /// Returns what a column was written as, as far as it is still declared as it was for that.
    private func written(_ column: SQLTableDescription.Column) -> WrittenField? {
        column.written(in: sql.dialect) == nil ? nil : column.written
    }

    /// Returns the declared type of a column.
    private func type(of name: String) -> String {
        let comparable = sql.dialect.comparable
        let column = found.columns.first { comparable($0.name) == comparable(name) }
        return column.map { $0.type.isEmpty ? "of no type and" : $0.type } ?? ""
    }

    private func error(of issue: Issue) -> DBClientError {
        func mismatch(
            _ message: String,
            _ field: String?,
            hint: String? = nil
        ) -> DBClientError {
            DBClientError(
                .schemaMismatch,
                message,
                entity: entity.name,
                field: field,
                hint: hint ?? self.hint
            )
        }
        func name(_ field: Int) -> String { entity.fields[field].name }
        func wanted(_ field: Int) -> String {
            let field = entity.fields[field]
            return sql.dialect.declaration(of: field.type, as: field.form.format)
        }
        switch issue {
        case .missing(let field, twin: let twin?):
            return mismatch(
                "The table's column for the field differs from it in the case of A to Z.",
                name(field),
                hint: "Give the field the stored name \"\(twin)\"."
            )
        case .missing(let field, twin: nil):
            return mismatch(
                "The table has no column for the field, of the type \(wanted(field)).",
                name(field)
            )
        case .type(let field, let found):
            let type = entity.fields[field].type.name
            return mismatch(
                "The column's declared type \(found.isEmpty ? "is missing and" : found) cannot hold a \(type);"
                    + " \(wanted(field)) can.",
                name(field)
            )
        case .written(let field, let written):
            return entity.fields[field].mismatch(
                of: entity,
                writtenAs: written.form,
                isOptional: written.isOptional
            )
        case .collation(let field):
            return mismatch(
                "The key's column takes different texts for equal ones, by its collation or its type.",
                name(field),
                hint:
                    "Declare the column as \(wanted(field)) with the collation \(sql.dialect.traits.byteCollation)."
            )
        case .relaxed(let field):
            let type = type(of: sql.columnName(field))
            return mismatch("The field may be absent, the column is \(type) NOT NULL.", name(field))
        case .surplus(let column, _):
            return mismatch(
                "The table requires a column, \(type(of: column)) NOT NULL, that the model lacks.",
                column
            )
        case .shards:
            let found = found.shardColumns.joined(separator: ", ")
            let name = entity.shardKey.map { sql.columnName($0) } ?? ""
            return mismatch(
                "The table is spread over servers by (\(found)), and not by the model's shard key, \(name).",
                name,
                hint:
                    "Mark the property with that column as the shard key, or partition the table by this one."
            )
        case .key where found.isMaterialisedView:
            return mismatch(
                "The rows are those of a materialised view, which can be read and not written.",
                nil,
                hint: "Write to the tables that it reads, and refresh it with SQL."
            )
        case .key where found.hasNoKey && !found.shardColumns.isEmpty:
            return mismatch(
                "The table's rows are on other servers, and this one knows no key of them.",
                nil,
                hint:
                    "Mark the property that they are spread by, \(found.shardColumns.joined(separator: ", ")), @ShardKey."
            )
        case .key where found.hasNoKey:
            return mismatch(
                "The table has no key, so that its rows can be read and not written.",
                nil,
                hint: "Add a primary key with SQL, or read it alone where it is a view."
            )
        case .key:
            let key = entity.primaryKey.map { sql.columnName($0) }
            return mismatch(
                "The model's primary key (\(key.joined(separator: ", "))) is not unique in the table.",
                key.first
            )
        }
    }
}

extension SQLTableDescription {
    /// Whether nothing identifies a row that a write could name: in a view, and in a table without a key.
    fileprivate var hasNoKey: Bool {
        isMaterialisedView || primaryKey.isEmpty && !indexes.contains(where: \.isUnique)
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

public import DBClientCore

extension SQLDialect {
    /// Returns the name of an entity's table, not quoted.
    public func tableName(of entity: EntitySchema) -> String {
        // The name of links is that of their owner and that of the relationship, whose dot ends no schema's name.
        if let owner = entity.linkOwner, entity.name.utf8.contains(UInt8(ascii: ".")),
            parts(ofTable: owner.entity).schema == nil
        {
            traits.wholeNames?.note(links: entity.name)
            traits.wholeNames?.note(links: name(entity.name, of: .table))
        }
        return name(entity.name, of: .table)
    }

    /// Returns the name of the table of an entity with this name, not quoted.
    package func tableName(of entity: String) -> String { name(entity, of: .table) }

    /// Returns the name of a field's column, not quoted.
    public func columnName(of field: String) -> String { name(field, of: .column) }

    /// Returns the name of the schema that the name of a table begins with, and the rest; no schema where it names
    /// none, or the database takes a dot for a part of the name.
    public func parts(ofTable name: String) -> (schema: String?, name: String) {
        let scalars = name.unicodeScalars
        guard traits.namesSchemas, let dot = scalars.firstIndex(of: "."), dot != scalars.startIndex,
            traits.wholeNames?.contains(name) != true
        else { return (nil, name) }
        let rest = String(scalars[scalars.index(after: dot)...])
        return rest.isEmpty ? (nil, name) : (String(scalars[..<dot]), rest)
    }

    /// Returns a name in the schema of a table.
    package func name(_ name: String, besideTable table: String) -> String {
        parts(ofTable: table).schema.map { "\($0).\(name)" } ?? name
    }

    /// What turns names of columns into bytes, equal for two names that the database takes for one.
    var comparable: (String) -> [UInt8] {
        traits.ignoresCaseOfNames ? { Array(asciiFolded($0)) } : { Array($0.utf8) }
    }

    /// Throws for a raw SQL statement that begins or ends a transaction, or sets what outlives it on a
    /// connection that other callers get as well.
    func checkOwn(_ sql: String) throws {
        let words = sql.leadingWords(2)
        let first = words.first ?? ""
        if Self.transactionVerbs.contains(first) || words == ["PREPARE", "TRANSACTION"] {
            throw DBClientError(
                .invalidRequest,
                "A statement must not begin or end a transaction; got \(words.joined(separator: " ")).",
                hint: "Use the client's transactions and savepoints."
            )
        }
        guard traits.sessionVerbs.contains(first) else { return }
        if first == "SET", ["LOCAL", "TRANSACTION", "CONSTRAINTS"].contains(words.last) { return }
        throw DBClientError(
            .invalidRequest,
            "A statement must not set what outlives its transaction; got \(first).",
            hint: "Use SET LOCAL, or name it in the connection string: options=-c name=value."
        )
    }

    private static var transactionVerbs: Set<String> {
        ["BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE"]
    }

    /// Throws unless the database keeps a name as it is: one that is too long it would cut without a word,
    /// and so take for another.
    ///
    /// Every name that comes from outside of a model passes here; those of a model are checked with its schema.
    ///
    /// - Parameters:
    ///   - name: The name, not quoted.
    ///   - subject: What the error calls it, such as `The name of the schema`.
    /// - Throws: `.invalidRequest`, without the name.
    public func check(name: String, as subject: String) throws {
        let count = name.utf8.count
        let maximumNameLength = traits.maximumNameLength
        if (1...maximumNameLength).contains(count), !name.utf8.contains(0) { return }
        let found =
            count == 0
            ? "it is empty" : count > maximumNameLength ? "it has \(count)" : "it has one"
        let limit =
            maximumNameLength == .max ? "a byte" : "1 to \(maximumNameLength) bytes of UTF-8"
        throw DBClientError(
            .invalidRequest,
            "\(subject) must have \(limit) and no NUL; \(found)."
        )
    }
}

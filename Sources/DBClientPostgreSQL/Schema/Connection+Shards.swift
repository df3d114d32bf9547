import DBClientCore
import DBClientSQL
import Foundation

// Tables that are spread over servers, whose keys no index of this server keeps unique.
extension PostgreSQLConnection {
    /// Returns the columns that are unique over all partitions of a table, as the configuration says, or the model by its
    /// shard key; nil where neither says anything of the table.
    ///
    /// Rows of one key are in one partition as long as the partition key is a part of it. The indexes of other servers
    /// are not seen from here, and those of local partitions are.
    ///
    /// - Throws: `.schemaMismatch` where that cannot hold.
    func shardKey(of table: String, _ entity: EntitySchema? = nil) throws -> [String]? {
        guard let key = configuration.shardedTables[table] else {
            return try entity.flatMap { try shardKey(declaredBy: $0, of: table) }
        }
        let hint = "Correct shardedTables of the configuration, or the table."
        func mismatch(_ message: String) -> DBClientError {
            DBClientError(.schemaMismatch, message, entity: table, hint: hint)
        }
        let partitionKey = try partitionKey(of: table)
        if partitionKey.isEmpty {
            throw mismatch("A sharded table must be partitioned; this one is not.")
        }
        guard partitionKey.allSatisfy({ $0.map(key.contains) ?? false }) else {
            let columns = partitionKey.map { $0 ?? "an expression" }.joined(separator: ", ")
            throw mismatch(
                """
                The key of a sharded table must contain the columns by which it is partitioned, \(columns); \
                it is (\(key.joined(separator: ", "))).
                """
            )
        }
        try checkLocalPartitions(of: table, key, hint: hint)
        return key
    }

    /// Returns the columns of the primary key of a model with a shard key whose table is spread by it; nil where the table
    /// has no partitions.
    private func shardKey(declaredBy entity: EntitySchema, of table: String) throws -> [String]? {
        guard entity.shardKey != nil, try !partitionKey(of: table).isEmpty else { return nil }
        let key = entity.primaryKey.map { dialect.columnName(of: entity.fields[$0].name) }
        try checkLocalPartitions(of: table, key, hint: "Create the index.")
        return key
    }

    /// Throws where a partition of this server has no unique index over a key.
    private func checkLocalPartitions(of table: String, _ key: [String], hint: String) throws {
        guard let partition = try localPartition(of: table, withoutUnique: key) else { return }
        throw DBClientError(
            .schemaMismatch,
            """
            Each partition of a sharded table must have a unique index over its key, \
            (\(key.joined(separator: ", "))); \(partition) has none.
            """,
            entity: table,
            hint: hint
        )
    }

    /// Returns the columns by which a table without a key is partitioned where a partition is on another server; none
    /// where it is not, or is partitioned by an expression.
    func columnsOfShards(of table: String) throws -> [String] {
        var isSpread = false
        try each(
            """
            SELECT 1 FROM pg_catalog.pg_partition_tree(pg_catalog.to_regclass($1::text)) t
            JOIN pg_catalog.pg_class c ON c.oid = t.relid AND c.relkind = 'f' LIMIT 1
            """,
            [quoted(table)]
        ) { _ in isSpread = true }
        guard isSpread else { return [] }
        let columns = try partitionKey(of: table)
        return columns.contains(nil) ? [] : columns.compactMap(\.self)
    }

    /// Returns the columns by which a table is partitioned, nil for an expression; none where it is not.
    private func partitionKey(of table: String) throws -> [String?] {
        var columns: [String?] = []
        try each(
            """
            SELECT a.attname::text FROM pg_catalog.pg_partitioned_table p
            CROSS JOIN LATERAL pg_catalog.generate_series(0, p.partnatts - 1) k
            LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = p.partrelid
                AND a.attnum = p.partattrs[k] AND p.partattrs[k] > 0
            WHERE p.partrelid = pg_catalog.to_regclass($1::text)
            """,
            [quoted(table)]
        ) { columns.append($0[0].isNull ? nil : text($0[0])) }
        return columns
    }

    /// Returns a partition of this server that has no unique index over some columns.
    private func localPartition(of table: String, withoutUnique key: [String]) throws -> String? {
        var name: String?
        let list = key.map { column in
            let escaped = column.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\"\(escaped)\""
        }
        try each(
            """
            SELECT c.relname::text
            FROM pg_catalog.pg_partition_tree(pg_catalog.to_regclass($1::text)) t
            JOIN pg_catalog.pg_class c ON c.oid = t.relid
            WHERE t.isleaf AND c.relkind = 'r' AND NOT EXISTS (
                SELECT FROM pg_catalog.pg_index x
                WHERE x.indrelid = c.oid AND x.indisunique AND x.indisvalid
                    AND x.indpred IS NULL AND x.indexprs IS NULL AND x.indnatts = x.indnkeyatts
                    AND (SELECT pg_catalog.array_agg(a.attname::text) FROM pg_catalog.pg_attribute a
                        WHERE a.attrelid = c.oid AND a.attnum = ANY (x.indkey))
                        OPERATOR(pg_catalog.<@) $2::text::text[])
            ORDER BY c.relname LIMIT 1
            """,
            [quoted(table), "{\(list.joined(separator: ","))}"]
        ) { name = text($0[0]) }
        return name
    }

    /// Whether a violation is one of the key of a sharded table, as another server reports it: without the name of
    /// the index, and with the columns in its details.
    func isOfShardKey(_ server: PostgreSQLServerError, _ entity: EntitySchema) -> Bool {
        let declared =
            entity.shardKey == nil
            ? nil : entity.primaryKey.map { dialect.columnName(of: entity.fields[$0].name) }
        guard let key = configuration.shardedTables[dialect.tableName(of: entity)] ?? declared,
            let detail = server.detail, let end = detail.range(of: ")=("),
            let start = detail[..<end.lowerBound].firstIndex(of: "(")
        else { return false }
        let columns = detail[detail.index(after: start)..<end.lowerBound].split(separator: ",")
        return Set(columns.map { $0.trimmingCharacters(in: [" ", "\""]) }) == Set(key)
    }
}

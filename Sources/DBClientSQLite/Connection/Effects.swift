import DBClientCore
import DBClientSQL
import GRDBSQLite

/// What statements write beside their own tables, through triggers and foreign keys.
///
/// SQLite calls an authorizer, while it prepares a statement, for every table that the statement may write, at
/// whatever remove. So nothing has to be known of triggers and keys beforehand, and nothing is asked for a row. The
/// tables that a view reads, with whose rows its own change, are learnt in the same way.
final class SQLiteEffects {
    /// What notices that tables were changed.
    let schema = SQLiteSchemaWatch()
    /// What finds pages of an encrypted file that were damaged.
    var proof: SQLitePageProof?
    /// The tables that were written beside the statements' own since they were last asked for.
    private var written: Set<String> = []
    /// What the statement that is being prepared writes.
    private var target: Write?
    private var others: Set<String> = []
    private var isPreparing = false
    /// The tables that a statement reads, while one is prepared to find out.
    private var read: Set<String>?
    /// The views over each table, and the number of the tables' shapes that they are of.
    private var views: (tables: [String: Set<String>], number: Int64?)?

    private struct Write: Equatable {
        let action: Int32
        let table: String
        let column: String?
    }

    /// The triggers by which links go with their owners, which has its calls delete them before.
    static let linkTrigger = "dbclient_links_"

    /// Collects what a connection's statements write, for as long as this lives.
    func watch(_ connection: SQLiteHandle) {
        sqlite3_set_authorizer(
            connection.pointer,
            { context, action, first, second, _, trigger in
                if action == SQLITE_READ, let context, let first {
                    Unmanaged<SQLiteEffects>.fromOpaque(context).takeUnretainedValue()
                        .noteRead(first)
                    return SQLITE_OK
                }
                guard
                    action == SQLITE_INSERT || action == SQLITE_DELETE || action == SQLITE_UPDATE,
                    let context, let first
                else { return SQLITE_OK }
                Unmanaged<SQLiteEffects>.fromOpaque(context).takeUnretainedValue()
                    .note(
                        Write(
                            action: action,
                            table: String(cString: first),
                            column: second.map { String(cString: $0) }
                        ),
                        trigger
                    )
                return SQLITE_OK
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func note(_ write: Write, _ trigger: UnsafePointer<CChar>?) {
        guard isPreparing else {
            // A statement that runs is prepared again, since another program has changed the tables.
            if trigger.map({ !Self.isOfLinks($0) }) ?? false { written.insert(write.table) }
            return
        }
        guard let target else {
            target = write
            return
        }
        if let trigger {
            if !Self.isOfLinks(trigger) { others.insert(write.table) }
        } else if write.table != target.table || write.action != target.action {
            others.insert(write.table)
        } else if write == target {
            // A key by which a row refers to another one of its table.
            others.insert(write.table)
        }
    }

    private func noteRead(_ table: UnsafePointer<CChar>) {
        if read != nil { read?.insert(String(cString: table)) }
    }

    private static func isOfLinks(_ trigger: UnsafePointer<CChar>) -> Bool {
        String(cString: trigger).hasPrefix(linkTrigger)
    }

    /// Prepares a statement, and returns the tables that it writes beside its own, and the views over what it writes.
    func preparing<Value>(
        on connection: SQLiteHandle,
        _ prepare: () throws -> Value
    ) rethrows -> (Value, Set<String>) {
        isPreparing = true
        target = nil
        others = []
        defer { isPreparing = false }
        let value = try prepare()
        guard let target else { return (value, others) }
        let views = views(connection)
        if views.isEmpty { return (value, others) }
        let tables = others.union([target.table])
        return (value, others.union(tables.flatMap { views[$0] ?? [] }))
    }

    /// Returns the views whose rows come from each table, whatever views are between.
    private func views(_ connection: SQLiteHandle) -> [String: Set<String>] {
        let number = schema.number ?? (try? schema.current(connection))
        if let views, views.number == number { return views.tables }
        var names: [String] = []
        let query = "SELECT name FROM sqlite_schema WHERE type = 'view'"
        // What cannot be asked for shows no rows either, as a view that does not work any more.
        try? SQLiteStatement(connection, query).values(on: nil) {
            names.append(String(decoding: $0[0].bytes, as: UTF8.self))
            return true
        }
        var tables: [String: Set<String>] = [:]
        defer { read = nil }
        for name in names {
            var text = SQLText(SQLiteDialect())
            text.append("SELECT * FROM ")
            text.append(identifier: name)
            read = []
            guard (try? SQLiteStatement(connection, text.sql)) != nil else { continue }
            for table in read ?? [] { tables[table, default: []].insert(name) }
        }
        views = (tables, number)
        return tables
    }

    /// Notes that tables may have been written.
    func note(_ tables: Set<String>) {
        written.formUnion(tables)
    }

    /// Returns the tables that were written, and forgets them.
    func take() -> Set<String> {
        if written.isEmpty { return [] }
        defer { written = [] }
        return written
    }
}

import GRDBSQLite

/// What statements write beside their own tables, through triggers and foreign keys.
///
/// SQLite calls an authorizer, while it prepares a statement, for every table that the statement may write, at
/// whatever remove. So nothing has to be known of triggers and keys beforehand, and nothing is asked for a row.
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

    private static func isOfLinks(_ trigger: UnsafePointer<CChar>) -> Bool {
        String(cString: trigger).hasPrefix(linkTrigger)
    }

    /// Prepares a statement, and returns the tables that it writes beside its own.
    func preparing<Value>(_ prepare: () throws -> Value) rethrows -> (Value, Set<String>) {
        isPreparing = true
        target = nil
        others = []
        defer { isPreparing = false }
        return (try prepare(), others)
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

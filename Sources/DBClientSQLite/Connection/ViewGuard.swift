import DBClientCore
import DBClientSQL
import GRDBSQLite

/// Keeps writers from rows of which stored views are kept, unless they keep them.
///
/// Triggers of the table ask a function that the library's connections have: whether the connection holds the mark that is
/// in the trigger. Another program has no such function, so that its statement fails.
final class SQLiteViewGuard {
    /// The mark that the connection holds.
    var held: String?

    /// Whether the connection holds a mark.
    static let function = "dbclient_keeps_views"
    /// What the triggers refuse a statement with.
    static let refusal = "dbclient: stored views are kept of this table"
    private static let trigger = "dbclient_views_"
    fileprivate static let verbs = ["INSERT", "UPDATE", "DELETE"]

    static func error(on entity: EntitySchema?) -> DBClientError {
        EntitySchema.keptOtherwise(entity?.name)
    }

    /// Gives a connection the function, which asks this object for as long as it lives.
    func register(on connection: SQLiteHandle) throws {
        let code = sqlite3_create_function_v2(
            connection.pointer,
            Self.function,
            1,
            SQLITE_UTF8 | SQLITE_INNOCUOUS,
            Unmanaged.passUnretained(self).toOpaque(),
            { context, _, arguments in
                guard let box = sqlite3_user_data(context) else { return }
                let held = Unmanaged<SQLiteViewGuard>.fromOpaque(box).takeUnretainedValue().held
                let wanted = arguments?[0].flatMap { sqlite3_value_text($0) }
                let isHeld = wanted.map { String(cString: $0) } == held && held != nil
                sqlite3_result_int(context, isHeld ? 1 : 0)
            },
            nil,
            nil,
            nil
        )
        if code != SQLITE_OK { throw SQLiteError.make(code, connection) }
    }

    fileprivate static func name(_ verb: String, of table: String) -> String {
        "\(trigger)\(verb.lowercased())_\(table)"
    }

    fileprivate static func mark(in sql: String) -> String? {
        let parts = sql.split(separator: "'")
        guard let place = parts.firstIndex(where: { $0.hasSuffix("\(function)(") }),
            parts.indices.contains(place + 1)
        else { return nil }
        return String(parts[place + 1])
    }
}

extension SQLiteConnection {
    func viewMark(of table: String) throws -> String? {
        var marks: [String] = []
        try each(
            """
            SELECT sql FROM sqlite_schema
            WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE AND name LIKE 'dbclient^_views^_%' ESCAPE '^'
            """,
            [table]
        ) { row in
            let sql = String(decoding: row[0].bytes, as: UTF8.self)
            if let mark = SQLiteViewGuard.mark(in: sql) { marks.append(mark) }
        }
        // Where a trigger is gone, rows may have been written without it.
        guard marks.count == SQLiteViewGuard.verbs.count, Set(marks).count == 1 else { return nil }
        return marks.first
    }

    func setViewMark(_ mark: String?, of table: String) throws {
        for verb in SQLiteViewGuard.verbs {
            try run("DROP TRIGGER IF EXISTS ", SQLiteViewGuard.name(verb, of: table))
        }
        guard let mark else { return }
        for verb in SQLiteViewGuard.verbs {
            var text = SQLText(dialect)
            text.append("CREATE TRIGGER ")
            text.append(identifier: SQLiteViewGuard.name(verb, of: table))
            text.append(" BEFORE \(verb) ON ")
            text.append(identifier: table)
            text.append(
                " WHEN NOT \(SQLiteViewGuard.function)('\(mark)')"
                    + " BEGIN SELECT RAISE(ABORT, '\(SQLiteViewGuard.refusal)'); END"
            )
            try run(text.sql)
        }
    }

    func holdViewMark(_ mark: String?) throws {
        viewGuard.held = mark
    }
}

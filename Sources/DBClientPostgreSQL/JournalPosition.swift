import CLibPQ
import DBClientCore
import DBClientSQL

/// How far a journal was read: to every commit that one snapshot of the server's saw.
struct JournalPosition {
    /// The run of the server in which the snapshot was taken.
    let run: ServerRun?
    /// The snapshot, as the server writes it.
    let snapshot: String
    /// When it was taken, by the server's clock, in microseconds.
    let moment: Int64
    /// The journal's table and its file, which is another one when the table is made anew or emptied.
    let table: String

    /// Every transaction before this number had ended.
    var oldest: UInt64 { snapshot.split(separator: ":").first.flatMap { UInt64($0) } ?? 0 }
}

/// What a look into a journal has found.
struct JournalNews {
    /// How far the journal is read now; nil when there is none.
    let position: JournalPosition?
    /// The entities that others wrote; nil when it cannot be told.
    let entities: Set<String>?
    /// What some transactions wrote, by their numbers.
    var written: [(transaction: UInt64, entity: String)] = []
}

extension PostgreSQLConnection {
    /// Reads what others have committed since a position, and what of ours belongs to some transactions
    /// whose commit was not answered; beside that, what some other transactions of ours wrote.
    func news(
        since last: JournalPosition?,
        andOf doubtful: [UInt64] = [],
        telling own: [UInt64] = []
    ) throws -> JournalNews {
        guard !keepsStatements else {
            return try readNews(since: last, doubtful, own)
        }
        // Behind a pooler only a transaction knows where the tables are.
        try begin(.read)
        defer { rollback() }
        return try readNews(since: last, doubtful, own)
    }

    private func readNews(
        since last: JournalPosition?,
        _ doubtful: [UInt64],
        _ own: [UInt64]
    ) throws -> JournalNews {
        var isThere = false
        try each("SELECT pg_catalog.to_regclass($1::text) IS NOT NULL", [Journal.table]) { row in
            isThere = row[0].integer != 0
        }
        // What was noted in one that is gone was perhaps not read.
        guard isThere else { return JournalNews(position: nil, entities: last == nil ? [] : nil) }
        let known = last.flatMap { $0.run == serverRun ? $0 : nil }
        var snapshot = ""
        var table = ""
        var moment: Int64 = 0
        var entities: Set<String> = []
        var written: [(transaction: UInt64, entity: String)] = []
        func list(_ numbers: [UInt64]) -> String {
            "{" + numbers.map { String($0) }.joined(separator: ",") + "}"
        }
        let parameters = [
            known?.snapshot ?? "1:1:", writer, list(doubtful), list(own),
        ]
        try each(Self.newsQuery, parameters) { row in
            snapshot = text(row[0])
            moment = row[1].integer
            table = text(row[2])
            if row[3].isNull { return }
            if row[4].isNull {
                entities.insert(text(row[3]))
            } else {
                written.append((UInt64(bitPattern: row[4].integer), text(row[3])))
            }
        }
        let position = JournalPosition(
            run: serverRun,
            snapshot: snapshot,
            moment: moment,
            table: table
        )
        guard let known, serverRun != nil, table == known.table,
            moment - known.moment < Journal.trustedAge
        else {
            return JournalNews(position: position, entities: nil, written: written)
        }
        return JournalNews(position: position, entities: entities, written: written)
    }

    /// One statement, so that the snapshot that it tells is the one that it reads with.
    private static let newsQuery = """
        SELECT pg_catalog.pg_current_snapshot()::text,
            (pg_catalog.date_part('epoch', pg_catalog.now()) * 1000000)::bigint,
            "journal"."oid"::oid::text || '/'
                || coalesce(pg_catalog.pg_relation_filenode("journal"."oid")::text, ''),
            "found"."entity", "found"."own"
        FROM (SELECT pg_catalog.to_regclass('\(Journal.table)')) AS "journal"("oid") LEFT JOIN (
            SELECT DISTINCT "entity", NULL::bigint AS "own" FROM \(Journal.table)
            WHERE "transaction" >= pg_catalog.pg_snapshot_xmin($1::text::pg_snapshot)
                AND NOT pg_catalog.pg_visible_in_snapshot("transaction", $1::text::pg_snapshot)
                AND ("writer" IS DISTINCT FROM $2::text
                    OR "transaction" = ANY ($3::text::xid8[]))
            UNION ALL
            SELECT "entity", "transaction"::text::bigint FROM \(Journal.table)
            WHERE "transaction" = ANY ($4::text::xid8[])
        ) AS "found" ON true
        """
}

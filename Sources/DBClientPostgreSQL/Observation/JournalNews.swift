import DBClientCore
import DBClientSQL

/// What a look into a journal has found.
struct JournalNews {
    /// How far the journal is read now; nil when there is none.
    let position: JournalPosition?
    /// The entities that other clients wrote; nil when that is unknown.
    let entities: Set<String>?
    /// What a transaction of ours wrote.
    var written: Set<String> = []
}

extension PostgreSQLConnection {
    /// Reads the foreign commits since a position, and what of ours belongs to some transactions
    /// whose commit was not answered; beside that, what another transaction of ours wrote.
    func news(
        since last: JournalPosition?,
        andOf doubtful: [UInt64] = [],
        telling own: UInt64? = nil
    ) throws -> JournalNews {
        do {
            if keepsStatements {
                return try readNewsIfThere(since: last, doubtful, own)
            }
            // Behind a pooler only a transaction knows where the tables are.
            try begin(.read)
            defer { rollback() }
            return try readNewsIfThere(since: last, doubtful, own)
        } catch let error as DBClientError where error.sqlState == "42P01" {
            newsStatement = nil
            // What was noted in one that is gone was perhaps not read.
            return JournalNews(position: nil, entities: last == nil ? [] : nil)
        } catch {
            newsStatement = nil
            throw error
        }
    }

    /// Asks first whether there is a journal where none was read before: a server writes into its log that a
    /// statement names a missing table.
    private func readNewsIfThere(
        since last: JournalPosition?,
        _ doubtful: [UInt64],
        _ own: UInt64?
    ) throws -> JournalNews {
        if last == nil, newsStatement == nil, try !Journal.isInstalled(on: self) {
            return JournalNews(position: nil, entities: [])
        }
        return try readNews(since: last, doubtful, own)
    }

    private func readNews(
        since last: JournalPosition?,
        _ doubtful: [UInt64],
        _ own: UInt64?
    ) throws -> JournalNews {
        let known = last.flatMap { $0.run == serverRun ? $0 : nil }
        var snapshot = ""
        var table = ""
        var moment: Int64 = 0
        var entities: Set<String> = []
        var written: Set<String> = []
        let statement: PostgreSQLStatement
        if let newsStatement {
            statement = newsStatement
        } else {
            let isKept = keepsStatements
            statement = try self.statement(Self.newsQuery, isKept: isKept)
            if isKept { newsStatement = statement }
        }
        let parameters = [
            // Of a journal that was not read before, nothing is asked.
            "\(known?.next ?? .max)", known?.running ?? "{}", writer,
            "{" + doubtful.map { "\($0)" }.joined(separator: ",") + "}", "\(own ?? 0)",
        ]
        statement.parameters.releaseCopies()
        for (index, parameter) in parameters.enumerated() {
            try StorageValue.text(parameter).withSlot {
                try statement.parameters.set($0, at: index, copying: true)
            }
        }
        try statement.values(on: nil) { row in
            snapshot = text(row[0])
            moment = row[1].integer
            table = text(row[2])
            if row[3].isNull { return true }
            if row[4].integer == 0 {
                entities.formUnion(names(ofNoted: text(row[3])))
            } else {
                written.formUnion(names(ofNoted: text(row[3])))
            }
            return true
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

    /// One statement, so that the snapshot that it returns is the one that it reads with.
    ///
    /// The snapshot of a position does not see the transactions that ran and those that began later, and these
    /// numbers lead to their rows: a transaction that lasts does not make the rows many.
    private static let newsQuery = """
        SELECT pg_catalog.pg_current_snapshot()::text,
            (pg_catalog.date_part('epoch', pg_catalog.now()) * 1000000)::bigint,
            "journal"."oid"::oid::text || '/'
                || coalesce(pg_catalog.pg_relation_filenode("journal"."oid")::text, ''),
            "found"."entity", "found"."own"
        FROM (SELECT pg_catalog.to_regclass('\(Journal.table)')) AS "journal"("oid") LEFT JOIN (
            SELECT DISTINCT "entity", 0 AS "own" FROM \(Journal.table)
            WHERE "entity" <> '' AND ("transaction" >= $1::text::xid8 OR "transaction" = ANY ($2::text::xid8[]))
                AND ("writer" IS DISTINCT FROM $3::text
                    OR "transaction" = ANY ($4::text::xid8[]))
            UNION ALL
            SELECT DISTINCT "entity", 1 FROM \(Journal.table) WHERE "transaction" = $5::text::xid8
        ) AS "found" ON true
        """
}

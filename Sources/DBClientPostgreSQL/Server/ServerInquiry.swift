import DBClientCore
import DBClientSQL

// The features of a server and its product, when a caller asks for them.
extension PostgreSQLConnection {
    /// Asks for every feature that can be asked for, and for the product.
    ///
    /// A feature that takes a statement is asked for in a transaction that is undone.
    func inquire() throws -> PostgreSQLServer {
        try probe(PostgreSQLFeature.allCases)
        for (feature, kind, statement) in Self.inquiries where !isStandby && !lacks(feature) {
            do {
                try begin(kind)
                defer { rollback() }
                try execute(statement)
            } catch let error as DBClientError where error.isRefusal(of: feature) {
                features.note(feature)
            }
        }
        var product = features.product
        for (name, query) in Self.products where product.name == "PostgreSQL" {
            do {
                try each(query, []) { row in
                    if !row[0].isNull { product = (name, text(row[0])) }
                }
            } catch let error as DBClientError where error.engineMessage != nil {
                continue
            }
        }
        return PostgreSQLServer(
            product: product.name,
            version: product.version,
            missing: features.all
        )
    }

    /// Statements that a server with the feature runs, and that leave nothing behind once they are undone.
    ///
    /// The first two are what a transaction begins with, so that the others find one that begins.
    private static let inquiries: [(PostgreSQLFeature, SQLTransactionKind, String)] = [
        (.weakIsolation, .read, "SELECT 1"),
        (.transactionNumbers, .write, "SELECT pg_current_xact_id()"),
        (.notifications, .write, "LISTEN \(Journal.channel)"),
        (
            .temporaryTables, .write,
            "CREATE TEMPORARY TABLE \(PostgreSQLTable.temporaryTable) ON COMMIT DROP AS SELECT 0 AS \"n\""
        ),
        (.functions, .write, "DO LANGUAGE plpgsql 'BEGIN END'"),
    ]

    /// Queries that return a version on a server of a product alone.
    private static let products: [(String, String)] = [
        (
            "Citus",
            "SELECT extversion::text FROM pg_catalog.pg_extension WHERE extname = 'citus'"
        ),
        (
            "Amazon Aurora",
            """
            SELECT pg_catalog.current_setting('server_version')
            WHERE pg_catalog.to_regproc('aurora_version') IS NOT NULL
            """
        ),
        (
            "Neon",
            """
            SELECT pg_catalog.current_setting('server_version')
            WHERE pg_catalog.current_setting('neon.tenant_id', true) <> ''
            """
        ),
        (
            "AlloyDB",
            """
            SELECT pg_catalog.current_setting('server_version') FROM pg_catalog.pg_settings
            WHERE name LIKE 'alloydb.%' LIMIT 1
            """
        ),
    ]
}

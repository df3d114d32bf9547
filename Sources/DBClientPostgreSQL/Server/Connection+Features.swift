import DBClientCore

extension PostgreSQLConnection {
    /// Whether the server is known to lack a feature.
    @inline(__always)
    func lacks(_ feature: PostgreSQLFeature) -> Bool { features.lacks(feature) }

    /// Runs a body that needs a feature and has a substitute.
    ///
    /// Where the server refuses it for the first time, the error has the unit of work run again, which goes the other
    /// way then.
    func using<Value>(_ feature: PostgreSQLFeature, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DBClientError {
            noteRefusal(error, of: feature)
            throw error
        }
    }

    /// Notes that the server lacks a feature, where an error says so, and returns whether that is news to the
    /// transaction: another connection may have found it since that began.
    @discardableResult
    func noteRefusal(_ error: DBClientError, of feature: PostgreSQLFeature) -> Bool {
        guard error.isRefusal(of: feature) else { return false }
        features.note(feature)
        guard !missingAtBegin.contains(feature) else { return false }
        state.noteLack()
        return true
    }

    /// Runs a body that needs a feature which nothing can replace.
    ///
    /// - Parameters:
    ///   - feature: The feature.
    ///   - purpose: What it is needed for, as the end of a sentence with "to".
    ///   - body: The statements.
    /// - Returns: What the body returns.
    /// - Throws: `.unsupported`, with the server and the feature.
    func requiring<Value>(
        _ feature: PostgreSQLFeature,
        to purpose: String,
        _ body: () throws -> Value
    ) throws -> Value {
        if lacks(feature) { throw refusal(of: feature, to: purpose) }
        do {
            return try body()
        } catch let error as DBClientError where error.isRefusal(of: feature) {
            features.note(feature)
            throw refusal(of: feature, to: purpose, error)
        }
    }

    /// Whether the server refuses a statement because it cannot compare texts by their bytes.
    func isRefusalOfCollation(_ error: DBClientError, in sql: String) -> Bool {
        sql.contains("COLLATE \"C\"") && error.isRefusal(of: .byteCollation)
    }

    /// The error of a call whose statement was refused for that.
    func refusalOfCollation(_ error: DBClientError) -> DBClientError {
        features.note(.byteCollation)
        return refusal(of: .byteCollation, to: "compare texts", error)
    }

    /// The error of a call that needs what the server lacks.
    func refusal(
        of feature: PostgreSQLFeature,
        to purpose: String,
        _ cause: DBClientError? = nil
    ) -> DBClientError {
        let product = features.product
        let server = [product.name, product.version].filter { !$0.isEmpty }
            .joined(separator: " ")
        return DBClientError(
            .unsupported,
            "The server, \(server), does not have \(feature.words), which is needed to \(purpose).",
            hint: "postgreSQLServer() of the client tells what a server lacks.",
            engineCode: cause?.engineCode,
            engineMessage: cause?.engineMessage,
            underlying: cause?.underlying
        )
    }

    /// Asks for each of some features by itself, and notes those that the server lacks or withholds.
    ///
    /// Not within a transaction: the server would take no further statement.
    func probe(_ features: [PostgreSQLFeature]) throws {
        for feature in features where !lacks(feature) {
            guard let expression = feature.expression else { continue }
            do {
                try each("SELECT \(expression)", []) { _ in }
            } catch let error as DBClientError where error.isRefusal(of: feature) {
                self.features.note(feature)
            }
        }
    }

    /// Returns an expression of a feature, or what stands for it where the server lacks it.
    func expression(_ feature: PostgreSQLFeature, else other: String = "NULL::bigint") -> String {
        lacks(feature) ? other : feature.expression ?? other
    }
}

extension PostgreSQLFeature {
    /// An expression by which the feature is asked for; nil where it takes a statement.
    var expression: String? {
        switch self {
        case .clusterIdentifier: "(SELECT system_identifier FROM pg_catalog.pg_control_system())"
        case .statisticsReset: ServerRun.expression
        case .recoveryState: "pg_catalog.pg_is_in_recovery()"
        case .snapshots: "pg_catalog.pg_current_snapshot()::text"
        case .advisoryLocks:
            "pg_catalog.pg_try_advisory_xact_lock_shared(pg_catalog.hashtext('\(Journal.table)'))"
        case .writtenRowCounts: "pg_catalog.pg_stat_get_xact_tuples_inserted(0::oid)"
        case .partitionTrees:
            "(SELECT count(*) FROM pg_catalog.pg_partition_tree('pg_catalog.pg_class'::regclass))"
        case .tableSizes: "pg_catalog.pg_relation_size('pg_catalog.pg_class'::regclass)"
        case .byteCollation: "'a'::text COLLATE \"C\" < 'b'"
        default: nil
        }
    }
}

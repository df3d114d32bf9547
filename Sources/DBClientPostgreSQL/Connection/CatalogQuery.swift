import CLibPQ
import DBClientCore

/// A query of the server's catalog, which is not what a unit of work reads.
struct CatalogQuery {
    let sql: String
    /// The values of its placeholders, each of which it takes as text.
    let parameters: [String]
    /// Takes each row of the result, whose slots last until the next.
    let visit: (UnsafeBufferPointer<Slot>) -> Void

    init(
        _ sql: String,
        _ parameters: [String],
        _ visit: @escaping (UnsafeBufferPointer<Slot>) -> Void
    ) {
        self.sql = sql
        self.parameters = parameters
        self.visit = visit
    }
}

extension PostgreSQLConnection {
    /// Runs a query of the catalog.
    func each(
        _ sql: String,
        _ parameters: [String],
        _ body: (UnsafeBufferPointer<Slot>) -> Void
    ) throws {
        try withoutActuallyEscaping(body) { try each([CatalogQuery(sql, parameters, $0)]) }
    }

    /// Runs queries of the catalog in one trip.
    func each(_ queries: [CatalogQuery]) throws {
        // Nothing is prepared first: that would take a trip of its own.
        let sends: [(OpaquePointer) -> Int32] = try queries.map { query in
            let parameters = try Parameters(texts: query.parameters)
            return { handle in
                PQsendQueryParams(
                    handle,
                    query.sql,
                    Int32(truncatingIfNeeded: parameters.count),
                    parameters.types,
                    parameters.values,
                    parameters.lengths,
                    parameters.formats,
                    1
                )
            }
        }
        var results: [Result] = []
        do {
            try collect(sends, into: &results)
        } catch let error as DBClientError
            where queries.contains(where: { isRefusalOfCollation(error, in: $0.sql) })
        {
            throw refusalOfCollation(error)
        }
        for (query, result) in zip(queries, results) {
            let row = Row(of: result.handle)
            defer { withExtendedLifetime((result, row)) {} }
            for index in 0..<result.rowCount { query.visit(try row.values(result.handle, index)) }
        }
    }
}

extension Parameters {
    fileprivate convenience init(texts: [String]) throws {
        self.init(texts.map { _ in ServerType.text.rawValue })
        for (index, text) in texts.enumerated() {
            try StorageValue.text(text).withSlot { try set($0, at: index, copying: true) }
        }
    }
}

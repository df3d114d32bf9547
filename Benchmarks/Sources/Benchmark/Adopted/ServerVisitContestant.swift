import CRawLibPQ
import DBClientCore
import Foundation

/// One way to read what another program keeps on a server.
protocol ServerVisitContestant: AnyObject, Sendable {
    func close() throws
    /// Returns all rows with dates as texts, in the order of their keys.
    func fetchDated() throws -> [DatedVisit]
    /// Returns all rows with numbers, in the order of their keys.
    func fetchPriced() throws -> [PricedVisit]
}

extension ContestantKind {
    /// Opens the contestant on the tables of a folder's schema, which it makes; nil where it uses no server.
    func openServerVisits(_ folder: URL, of count: Int) throws -> (any ServerVisitContestant)? {
        guard self == .postgreSQLClient || self == .rawPostgreSQL else { return nil }
        let byHand = try RawPostgreSQL(folder: folder)
        for statement in ServerVisits.creation(of: count) { try byHand.run(statement) }
        if self == .rawPostgreSQL { return RawServerVisits(byHand) }
        try byHand.close()
        return PostgreSQLClientVisits(try PostgreSQLSchema.open(in: folder))
    }
}

/// The client.
final class PostgreSQLClientVisits: ServerVisitContestant {
    private let client: any DBClient

    init(_ client: any DBClient) { self.client = client }

    func close() throws { try client.close() }

    func fetchDated() throws -> [DatedVisit] { try client.blocking.findAll(DatedVisit.self) }

    func fetchPriced() throws -> [PricedVisit] { try client.blocking.findAll(PricedVisit.self) }
}

/// libpq by hand: the server makes a date of a text that looks like one, and the groups of digits of a number are put
/// together here.
final class RawServerVisits: ServerVisitContestant, @unchecked Sendable {
    private let store: RawPostgreSQL

    init(_ store: RawPostgreSQL) { self.store = store }

    func close() throws { try store.close() }

    func fetchDated() throws -> [DatedVisit] {
        var visits: [DatedVisit] = []
        try store.visit(
            #"""
            SELECT id, CASE WHEN made ~ '^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?$'
                THEN (made || '+00')::timestamptz END FROM "DatedVisit" ORDER BY id
            """#
        ) { result in
            visits.append(
                DatedVisit(
                    id: LibPQRow.integer(result, 0, 0),
                    made: Date(microseconds: LibPQRow.word(result, 0, 1) + LibPQBuffer.epoch)
                )
            )
        }
        return visits
    }

    func fetchPriced() throws -> [PricedVisit] {
        var visits: [PricedVisit] = []
        try store.visit("SELECT id, price FROM \"PricedVisit\" ORDER BY id") { result in
            visits.append(
                PricedVisit(
                    id: LibPQRow.integer(result, 0, 0),
                    price: LibPQRow.decimal(result, 0, 1)
                )
            )
        }
        return visits
    }
}

extension LibPQRow {
    /// Reads a `numeric` of at most 16 digits: groups of four behind their number, weight, sign and scale.
    fileprivate static func decimal(
        _ result: OpaquePointer,
        _ row: Int32,
        _ column: Int32
    )
        -> Decimal
    {
        guard let value = PQgetvalue(result, row, column) else { return 0 }
        func part(_ index: Int) -> Int {
            Int(
                Int16(
                    bigEndian: UnsafeRawPointer(value).loadUnaligned(
                        fromByteOffset: index * 2,
                        as: Int16.self
                    )
                )
            )
        }
        let count = part(0)
        var digits = 0
        for index in 0..<count { digits = digits * 10_000 + part(4 + index) }
        return Decimal(
            sign: part(2) == 0 ? .plus : .minus,
            exponent: 4 * (part(1) + 1 - count),
            significand: Decimal(digits)
        )
    }
}

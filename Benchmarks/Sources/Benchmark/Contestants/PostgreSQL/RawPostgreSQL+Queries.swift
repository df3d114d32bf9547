import CRawLibPQ
import Foundation

extension RawPostgreSQL {
    private static let columns =
        "id, name, \"realName\", \"publisherId\", power, \"createdAt\", \"isActive\", bio"

    private func rows(_ result: OpaquePointer) -> [Character] {
        defer { PQclear(result) }
        let count = PQntuples(result)
        var rows: [Character] = []
        rows.reserveCapacity(Int(count))
        for row in 0..<count { rows.append(Character(result, row)) }
        return rows
    }

    @inline(__always)
    private func find(_ key: Int) throws -> Character? {
        let result = try query(
            "SELECT \(Self.columns) FROM \"Character\" WHERE id = $1",
            [.integer(key)]
        )
        defer { PQclear(result) }
        return PQntuples(result) == 0 ? nil : Character(result, 0)
    }

    func get(_ keys: [Int]) throws -> Int {
        try run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        var sum = 0
        for key in keys { sum &+= try find(key)?.weight ?? 0 }
        try run("COMMIT")
        return sum
    }

    func get(_ key: Int) throws -> Character? {
        try find(key)
    }

    func fetchAll() throws -> any FetchedRows {
        var rows: [Character] = []
        try visit("SELECT \(Self.columns) FROM \"Character\" ORDER BY id") {
            rows.append(Character($0, 0))
        }
        return rows
    }

    func fetch(publisher: Int) throws -> any FetchedRows {
        rows(
            try query(
                "SELECT \(Self.columns) FROM \"Character\" WHERE \"publisherId\" = $1 ORDER BY id",
                [.integer(publisher)]
            )
        )
    }

    func strongest(over power: Double, limit: Int) throws -> any FetchedRows {
        rows(
            try query(
                """
                SELECT \(Self.columns) FROM "Character" WHERE "isActive" AND power > $1
                ORDER BY power DESC, id LIMIT $2
                """,
                [.real(power), .integer(limit)]
            )
        )
    }

    func countActive(over power: Double) throws -> Int {
        let result = try query(
            "SELECT count(*) FROM \"Character\" WHERE \"isActive\" AND power > $1",
            [.real(power)]
        )
        defer { PQclear(result) }
        return LibPQRow.integer(result, 0, 0)
    }

    func names() throws -> [(Int, String)] {
        var names: [(Int, String)] = []
        try visit("SELECT id, name FROM \"Character\" ORDER BY id") {
            names.append((LibPQRow.integer($0, 0, 0), LibPQRow.text($0, 0, 1)))
        }
        return names
    }

    func publishers() throws -> [PublisherTotal] {
        let result = try query(
            """
            SELECT "publisherId", count(*), sum(id)::bigint FROM "Character"
            GROUP BY "publisherId" ORDER BY "publisherId" NULLS FIRST
            """
        )
        defer { PQclear(result) }
        return (0..<PQntuples(result)).map { row in
            PublisherTotal(
                publisher: PQgetisnull(result, row, 0) != 0
                    ? nil : LibPQRow.integer(result, row, 0),
                count: LibPQRow.integer(result, row, 1),
                sum: LibPQRow.integer(result, row, 2)
            )
        }
    }

    func stream(limit: Int) async throws -> Int {
        var sum = 0
        try visit(
            "SELECT \(Self.columns) FROM \"Character\" ORDER BY id LIMIT $1",
            [.integer(limit)]
        ) { sum &+= Character($0, 0).weight }
        return sum
    }
}

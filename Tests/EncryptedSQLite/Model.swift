import DBClientCore
import DBClientSQLite
import Foundation

/// A model whose names and values are found again wherever they are legible.
@Stored struct Quixotic: Equatable {
    @PrimaryKey let zarzuelaID: Int
    @Indexed var mistralName: String
    var bandoneonText: String
    var flamencoBytes: Data

    /// A row of some bytes, or of some pages.
    static func number(_ id: Int, pages: Int = 0) -> Quixotic {
        let long = String(repeating: "saudade\(id)-", count: 1 + pages * 400)
        return Quixotic(
            zarzuelaID: id,
            mistralName: "palimpsest\(id)",
            bandoneonText: long,
            flamencoBytes: Data("oubliette\(id)".utf8) + Data(repeating: 0xFE, count: pages * 4_000)
        )
    }

    /// What must not be in any file.
    static let needles = [
        "Quixotic", "zarzuelaID", "mistralName", "bandoneonText", "flamencoBytes", "saudade",
        "palimpsest", "oubliette", "CREATE TABLE", "SQLite format",
    ]
}

/// Keys whose bytes are found again where they are legible.
enum Keys {
    static let firstBytes = (0..<32).map { UInt8(truncatingIfNeeded: $0 * 7 + 65) }
    static let secondBytes = (0..<32).map { UInt8(truncatingIfNeeded: $0 * 5 + 97) }
    static let first = StoreKey.data(firstBytes)
    static let second = StoreKey.data(secondBytes)

    /// The key of a name, for processes that are started.
    static func named(_ name: String) -> StoreKey { name == "first" ? first : second }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }
}

/// Opens a store, writes rows into it, and closes it.
func make(
    _ url: URL,
    _ key: StoreKey? = Keys.first,
    rows: Int = 50,
    pages: Int = 0
) async throws {
    let client = try SQLDBClient.sqlite(at: url, key: key)
    try await client.insert((1...rows).map { Quixotic.number($0, pages: pages) })
    try client.close()
}

/// Opens a store, reads it and closes it.
func read(_ url: URL, _ key: StoreKey?) async throws -> [Quixotic] {
    let client = try SQLDBClient.sqlite(at: url, key: key)
    defer { try? client.close() }
    return try await client.fetch(Quixotic.all.sorted { $0.zarzuelaID })
}

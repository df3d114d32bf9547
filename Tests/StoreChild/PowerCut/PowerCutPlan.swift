import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation
import StoreEntry

/// What is written to a store while it is recorded: the same for a command that records and the one that makes
/// images of the record.
struct PowerCutPlan {
    let engine: String
    let durability: Durability
    /// The folder of the store, without links in its path.
    let folder: URL
    let record: URL
    let seed: UInt64
    let callers: Int
    /// How often each caller writes.
    let writes: Int

    /// After so many writes of each caller the store is closed and opened again.
    let writesPerOpening = 25

    static let storeName = "entries.store"

    /// Small enough to have to grow.
    static let mapSize = 1 << 17

    /// Reads `ENGINE full|relaxed FOLDER RECORD SEED CALLERS WRITES`.
    init?(_ arguments: ArraySlice<String>) {
        let words = Array(arguments)
        guard words.count == 7, let seed = UInt64(words[4]), let callers = Int(words[5]),
            let writes = Int(words[6])
        else { return nil }
        engine = words[0]
        durability = words[1] == "full" ? .full : .relaxed
        folder = URL(fileURLWithPath: words[2])
        record = URL(fileURLWithPath: words[3])
        self.seed = seed
        self.callers = callers
        self.writes = writes
    }

    func open() throws -> any DBClient {
        try open(folder.appendingPathComponent(Self.storeName))
    }

    func open(_ url: URL) throws -> any DBClient {
        if engine == "sqlite" {
            return try SQLDBClient.sqlite(
                at: url,
                configuration: SQLiteConfiguration(durability: durability)
            )
        }
        return try ObjectStoreDBClient(
            at: url,
            key: engine == "encrypted-object-store" ? storeKey : nil,
            durability: durability,
            mapSize: Self.mapSize
        )
    }
}

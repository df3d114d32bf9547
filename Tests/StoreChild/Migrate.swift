import DBClientCore
import Foundation
import StoreEntry

/// Migrates a store to and fro, so many times, and tells of each time.
func migrate(engine: String, _ url: URL, times: Int) throws {
    let client = try openStore(engine: engine, at: url)
    for time in 0..<times {
        let isBack = try client.blocking.pendingChanges(of: [WeighedEntry.adaptation]).isEmpty
        try client.blocking.migrate([isBack ? WeighedEntry.wayBack : WeighedEntry.adaptation])
        FileHandle.standardOutput.write(Data("\(time)\n".utf8))
    }
    try client.close()
}

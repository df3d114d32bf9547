import DBClientCore
import Foundation
import StoreEntry

/// Writes into a store until the file system of its folder is full, then makes room and goes on.
///
/// Prints a line for each thing that a full disk must not break: the code of the error, the rows that
/// can still be read, and the rows after room was made and the store was opened again.
func fillDisk(engine: String, folder: URL) {
    do {
        let store = folder.appendingPathComponent("entries.store")
        let filler = folder.appendingPathComponent("filler")
        try Data(count: 1 << 20).write(to: filler)
        var client = try openStore(engine: engine, at: store)
        var stored = 0
        do {
            while true {
                let first = stored
                try client.blocking.insert((first..<first + 100).map { Entry($0) })
                stored += 100
            }
        } catch let error as DBClientError {
            print("code", error.code)
        }
        print("acknowledged", stored > 0)
        print("readable", try client.blocking.count(Entry.all) == stored)
        try FileManager.default.removeItem(at: filler)
        try client.blocking.insert(Entry(stored))
        try client.close()
        client = try openStore(engine: engine, at: store)
        let ids = try client.blocking.fetch(Entry.all).map(\.id)
        print("reopened", ids == Array(0...stored))
        try client.close()
    } catch {
        print("error", error)
    }
}

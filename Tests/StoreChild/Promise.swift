import DBClientCore
import Foundation
import StoreEntry

/// Writes rows one by one and tells each of some before the first of them is stored: the fault that the test of killed
/// writers must find.
func promise(_ ids: Range<Int>, _ engine: String, _ url: URL) throws {
    let client = try openStore(engine: engine, at: url)
    for first in stride(from: ids.lowerBound, to: ids.upperBound, by: 50) {
        let some = first..<min(first + 50, ids.upperBound)
        FileHandle.standardOutput.write(Data(some.map { "\($0)\n" }.joined().utf8))
        for id in some { try client.blocking.insert(Entry(id)) }
    }
    try client.close()
}

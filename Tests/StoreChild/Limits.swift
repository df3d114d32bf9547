import CFaults
import DBClientCore
import DBClientObjectStore
import Foundation
import StoreEntry

/// Writes one entry when the process has as many files open as it may, and prints what came of it.
///
/// Ends the process after half a minute.
func writeWithoutDescriptors(_ url: URL, _ timeout: Duration) throws {
    // Not a signal, which the tests' threads block and so does what they start.
    Thread.detachNewThread {
        sleep(30)
        _exit(1)
    }
    let client = try ObjectStoreDBClient(at: url, busyTimeout: timeout)
    guard faults_limit(faults_descriptors, 3) else { return print("impossible") }
    FileHandle.standardOutput.write(Data("waits\n".utf8))
    do {
        try client.blocking.insert(Entry(2))
        print("written")
    } catch let error as DBClientError {
        print(error.code)
    }
    try client.close()
}

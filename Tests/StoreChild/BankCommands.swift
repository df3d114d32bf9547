import DBClientCore
import Dispatch
import Foundation
import StoreEntry
import Synchronization

/// Makes the transfers of some writers, which are at work at the same time, and returns whether that was the
/// command.
func runBankCommand(_ arguments: [String]) throws -> Bool {
    guard arguments.count > 4, arguments[0] == "bank", let times = Int(arguments[3]) else {
        return false
    }
    let client = try openStore(engine: arguments[1], at: URL(fileURLWithPath: arguments[2]))
    let writers = arguments[4...].compactMap { Int($0) }
    let ended = DispatchSemaphore(value: 0)
    let failures = Mutex<[any Error]>([])
    for writer in writers {
        Thread.detachNewThread {
            do {
                try Bank.transfer(by: writer, times: times, through: client)
            } catch {
                failures.withLock { $0.append(error) }
            }
            ended.signal()
        }
    }
    for _ in writers { ended.wait() }
    if let failure = failures.withLock({ $0.first }) { throw failure }
    FileHandle.standardOutput.write(Data("done\n".utf8))
    try client.close()
    return true
}

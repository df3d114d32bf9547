import DBClientCore
import Foundation
import StoreEntry

/// Writes rows that stored views are kept from, and returns whether that was the command.
///
/// `tally` makes the commits that a seed stands for, and prints the number of each once it is acknowledged. `former-tally` is a
/// version of the program without the views, which writes a line and prints what comes of that.
func runTallyCommand(_ arguments: [String]) throws -> Bool {
    if arguments.count == 5, arguments[0] == "tally", let seed = UInt64(arguments[3]),
        let commits = Int(arguments[4])
    {
        let client = try openStore(engine: arguments[1], at: URL(fileURLWithPath: arguments[2]))
        var writes = TallyWrites(seed: seed)
        for commit in 0..<commits {
            try writes.write(through: client)
            FileHandle.standardOutput.write(Data("\(commit)\n".utf8))
        }
        try client.close()
        return true
    }
    guard arguments.count == 4, arguments[0] == "former-tally", let id = Int(arguments[3]) else {
        return false
    }
    let client = try openStore(engine: arguments[1], at: URL(fileURLWithPath: arguments[2]))
    do {
        try client.blocking.upsert(FormerTallyLine(id, article: 1, amount: 1_000))
        print("written")
    } catch let error as DBClientError {
        print(error.code)
    }
    try client.close()
    return true
}

import DBClientCore
import DBClientTesting
import Foundation
import StoreEntry

/// Makes the commits of a program under observation that a seed stands for, and returns whether that was the command.
func runKeptCommand(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 5, arguments[0] == "kept", let seed = UInt64(arguments[3]),
        let commits = Int(arguments[4])
    else { return false }
    let client = try openStore(engine: arguments[1], at: URL(fileURLWithPath: arguments[2]))
    try KeptProgram.write(seed, commits: commits, to: client)
    try client.close()
    FileHandle.standardOutput.write(Data("done\n".utf8))
    return true
}

import CFaults
import DBClientCore
import DBClientObjectStore
import Foundation
import StoreEntry

/// Runs a command that makes object stores, and returns whether it was one.
///
/// The way is what a new store's file gets its name by: `rename`, `link` where that is missing, and `in-place`
/// where both are.
func runMakeCommand(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 5 || arguments.count == 6 else { return false }
    let taken: [String: UInt32] = [
        "rename": 0, "link": faults_rename_new.rawValue,
        "in-place": faults_rename_new.rawValue | faults_link.rawValue,
    ]
    guard let calls = taken[arguments[1]] else { return false }
    if calls != 0, !faults_take(calls) {
        print("impossible")
        return true
    }
    switch arguments[0] {
    case "make":
        guard let time = Int(arguments[4]) else { return false }
        try makeStore(URL(fileURLWithPath: arguments[2]), kills: arguments[3] == "kill", time)
    case "race":
        guard arguments.count == 6, let id = Int(arguments[3]), let count = Int(arguments[4]),
            let start = Double(arguments[5])
        else { return false }
        try raceForStores(URL(fileURLWithPath: arguments[2]), id, count: count, start)
    default: return false
    }
    return true
}

/// Opens a store, being killed or waiting before one of the changes of files that this takes, and inserts an entry.
private func makeStore(_ url: URL, kills: Bool, _ time: Int) throws {
    guard faults_stop(time, kills) else { return print("impossible") }
    let client = try ObjectStoreDBClient(at: url)
    _ = faults_stop(0, false)
    try client.blocking.insert(Entry(1))
    try client.close()
    print("made")
}

/// Opens stores one after another, each at a time of its own, so that other processes do so at the same time, and
/// inserts an entry into each.
private func raceForStores(_ folder: URL, _ id: Int, count: Int, _ start: Double) throws {
    for number in 0..<count {
        let begin = Date(timeIntervalSince1970: start + Double(number) * 0.03)
        Thread.sleep(until: begin)
        let client = try ObjectStoreDBClient(
            at: folder.appendingPathComponent("\(number).store")
        )
        try client.blocking.insert(Entry(id))
        try client.close()
    }
    print("made")
}

import CFaults
import DBClientCore
import Foundation
import StoreEntry

/// Runs the same writes again and again, while the calls of the operating system that write to a file, or
/// sync it, fail from the first of them on, then from the second on, until every one has been the first.
///
/// Prints a line for each thing that must not depend on which it was: the codes of the errors, whether
/// what was acknowledged is there, what a write of the same client comes to when calls succeed again, and
/// whether the store is whole once it was opened again; and how many calls have been the first.
///
/// One that forgives takes a write that failed for one that was acknowledged, a fault that the test must find.
func failCalls(
    _ call: faults_call,
    error: Int32,
    engine: String,
    folder: URL,
    forgives: Bool
) throws {
    var codes = Set<String>()
    var laterCodes = Set<String>()
    var isKept = true
    var isWhole = true
    for first in 1... {
        let url = folder.appendingPathComponent("\(first).store")
        var client = try openStore(engine: engine, at: url)
        // So that there are tables.
        try client.blocking.insert(Entry(0))
        var acknowledged: Set = [0]
        guard faults_begin(call, first, error) else { return print("impossible") }
        for id in 1...4 {
            if let code = code(of: { try client.blocking.insert(Entry(id)) }) {
                codes.insert(code)
                if forgives { acknowledged.insert(id) }
            } else {
                acknowledged.insert(id)
            }
        }
        if faults_end() == 0 {
            // At least one for each commit.
            print("called", first > 4)
            print("calls", first - 1)
            break
        }
        if let code = code(of: { try client.blocking.insert(Entry(5)) }) {
            laterCodes.insert(code)
        } else {
            laterCodes.insert("none")
            acknowledged.insert(5)
            let stored = try client.blocking.fetch(Entry.all)
            isKept = isKept && acknowledged.isSubset(of: stored.map(\.id))
        }
        try client.close()
        try verifyStore(engine: engine, at: url)
        client = try openStore(engine: engine, at: url)
        let stored = try client.blocking.fetch(Entry.all)
        isKept = isKept && acknowledged.isSubset(of: stored.map(\.id))
        isWhole = isWhole && stored.allSatisfy { $0 == Entry($0.id) }
        try client.blocking.insert(Entry(6))
        isWhole = try isWhole && client.blocking.count(Entry.all) == stored.count + 1
        try client.close()
    }
    print("codes", codes.sorted().joined(separator: " "))
    print("later", laterCodes.sorted().joined(separator: " "))
    print("kept", isKept)
    print("whole", isWhole)
}

private func code(of body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return (error as? DBClientError).map { "\($0.code)" } ?? "\(error)"
    }
}

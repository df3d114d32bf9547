import CFaults
import DBClientCore
import DBClientObjectStore
import Foundation
import StoreEntry

/// Forks in the middle of a read and of a write: the children are refused and let go of all that they inherited, and
/// the parent tells what it then still has.
func forkWithin(engine: String, _ url: URL) throws {
    let client = try openStore(engine: engine, at: url)
    try client.blocking.insert(Entry(1))
    let isReadingChild = try client.blocking.read { transaction in
        _ = try transaction.findAll(Entry.self)
        guard let status = try fork() else { return true }
        print("child", status)
        print("readers", try (client as? ObjectStoreDBClient)?.statistics().readers.count ?? 1)
        return false
    }
    if isReadingChild { try end(client) }
    var isWritingChild = false
    do {
        try client.blocking.write { transaction in
            try transaction.insert(Entry(2))
            if let status = try fork() { print("child", status) } else { isWritingChild = true }
        }
    } catch let error as DBClientError where isWritingChild && error.code == .unsupported {
        try end(client)
    }
    if isWritingChild { _exit(1) }
    print("entries", try client.blocking.count(Entry.all))
    try client.close()
}

/// Returns nil in the child, and in the parent how the child ended, which it must within ten seconds.
private func fork() throws -> Int32? {
    let process = faults_fork()
    if process < 0 { throw DBClientError(.engine, "There is no other process.") }
    if process == 0 {
        alarm(10)
        return nil
    }
    var status: Int32 = -1
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
}

private func end(_ client: any DBClient) throws -> Never {
    for refused in [
        code { _ = try client.blocking.count(Entry.all) },
        code { try client.blocking.insert(Entry(3)) },
    ] where refused != "unsupported" { _exit(1) }
    try client.close()
    _exit(0)
}

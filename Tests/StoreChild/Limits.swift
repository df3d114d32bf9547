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
    print(code { try client.blocking.insert(Entry(2)) })
    try client.close()
}

/// Writes until the address space has no room for a larger map, then lets it have more.
func growWithoutRoom(_ url: URL) throws {
    let client = try ObjectStoreDBClient(at: url, durability: .relaxed, mapSize: 1 << 20)
    try client.blocking.insert(long(0..<1))
    guard limitAddressSpace(megabytes: 192) else { return print("impossible") }
    let stored = writeUntilItFails(client)
    print("grown", try client.statistics().fileSize > 48 << 20)
    for _ in 0..<3 {
        print("again", code { try client.blocking.insert(long(stored..<stored + 1_000)) })
    }
    print("readable", try client.blocking.fetch(Entry.all) == long(0..<stored))
    _ = faults_limit(faults_address_space, .max)
    try client.blocking.insert(long(stored..<stored + 10_000))
    try client.close()
    let reopened = try ObjectStoreDBClient(at: url)
    print("kept", try reopened.blocking.fetch(Entry.all) == long(0..<stored + 10_000))
}

/// Writes and reads many times as much as there is room for in the address space.
func workWithLittleRoom(_ engine: String, _ url: URL, rows: Int) throws {
    let client = try openStore(engine: engine, at: url)
    try client.blocking.insert(long(0..<1))
    _ = try client.blocking.count(Entry.all)
    guard limitAddressSpace(megabytes: 96) else { return print("impossible") }
    for first in stride(from: 1, to: rows, by: 500) {
        try client.blocking.insert(long(first..<min(first + 500, rows)))
    }
    var next = 0
    while next < rows {
        let end = min(next + 500, rows)
        let entries = try client.blocking.fetch(Entry.where { $0.id >= next && $0.id < end })
        guard entries == long(next..<end) else { break }
        next = end
    }
    print("read", next == rows)
    print("counted", try client.blocking.count(Entry.where { $0.bucket == 3 }) == (rows + 3) / 7)
    _ = faults_limit(faults_address_space, .max)
    try client.close()
    try verifyStore(engine: engine, at: url)
}

/// Waits while another process writes, and reads that with little room for a larger map, then with any.
func followWithoutRoom(_ url: URL, megabytes: Int) throws {
    let client = try ObjectStoreDBClient(at: url, mapSize: 1 << 20)
    try client.blocking.insert(Entry(-1))
    guard limitAddressSpace(megabytes: megabytes) else { return print("impossible") }
    FileHandle.standardOutput.write(Data("waits\n".utf8))
    while readLine() != nil {}
    for _ in 0..<3 {
        var count: Int?
        let failure = code { count = try client.blocking.count(Entry.all) }
        print(count.map(String.init) ?? failure)
    }
    _ = faults_limit(faults_address_space, .max)
    print(try client.blocking.count(Entry.all))
    try client.blocking.insert(Entry(-2))
    try client.close()
}

/// Lets the larger map fail although there was room for it.
func loseMap(_ url: URL) throws {
    var client = try ObjectStoreDBClient(at: url, mapSize: 1 << 20)
    try client.blocking.insert(long(0..<1))
    guard faults_begin(faults_map, 1, ENOMEM) else { return print("impossible") }
    let stored = writeUntilItFails(client)
    print("failed", faults_end())
    print("read", code { _ = try client.blocking.count(Entry.all) })
    print("write", code { try client.blocking.insert(Entry(-1)) })
    print("statistics", code { _ = try client.statistics() })
    try client.close()
    try ObjectStoreDBClient.verify(at: url)
    client = try ObjectStoreDBClient(at: url)
    print("kept", try client.blocking.fetch(Entry.all) == long(0..<stored))
}

/// Prints the code of the error and returns how many entries there are.
private func writeUntilItFails(_ client: ObjectStoreDBClient) -> Int {
    var stored = 1
    let failure = code {
        while stored < 1_000_000 {
            try client.blocking.insert(long(stored..<stored + 1_000))
            stored += 1_000
        }
    }
    print("write", failure)
    return stored
}

/// Entries of nearly half a kilobyte, which an index has once more.
private func long(_ ids: Range<Int>) -> [Entry] {
    let text = String(repeating: "x", count: 400)
    return ids.map { Entry($0, text: "\($0) \(text)", bucket: $0 % 7) }
}

func code(of body: () throws -> Void) -> String {
    do {
        try body()
        return "none"
    } catch {
        return (error as? DBClientError).map { "\($0.code)" } ?? "\(error)"
    }
}

/// Limits the address space to what the process has by now and so much more.
private func limitAddressSpace(megabytes: Int) -> Bool {
    guard let figures = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
        let pages = figures.split(separator: " ").first.flatMap({ Int($0) })
    else { return false }
    let limit = pages * sysconf(Int32(_SC_PAGESIZE)) + megabytes << 20
    return faults_limit(faults_address_space, UInt64(limit))
}

import CFaults
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

/// Opens and reads a store on a disk that is full but for a few kilobytes, more each time, and prints what came of it.
func openOnFullDisk(engine: String, folder: URL) throws {
    let store = folder.appendingPathComponent("entries.store")
    let client = try openStore(engine: engine, at: store)
    try client.blocking.insert((0..<2_000).map { Entry($0) })
    try client.close()
    let filler = folder.appendingPathComponent("filler")
    let size = try fill(filler)
    var codes: Set<String> = []
    var failed = 0
    for room in 0..<64 {
        try FileHandle(forWritingTo: filler).truncate(atOffset: UInt64(size - room << 10))
        codes.insert(
            code {
                let client = try openStore(engine: engine, at: store)
                defer { try? client.close() }
                failed += try client.blocking.count(Entry.all) == 2_000 ? 0 : 1
            }
        )
    }
    print("codes", codes.sorted().joined(separator: " "))
    try FileManager.default.removeItem(at: filler)
    let reopened = try openStore(engine: engine, at: store)
    try reopened.blocking.insert(Entry(-1))
    print("whole", try reopened.blocking.count(Entry.all) == 2_001 && failed == 0)
    try reopened.close()
}

/// Writes to a file until the disk is full, and returns how many bytes the file has.
private func fill(_ file: URL) throws -> Int {
    let descriptor = open(file.path, O_WRONLY | O_CREAT, 0o600)
    guard descriptor >= 0 else { throw DBClientError(.io, "The disk cannot be filled.") }
    defer { close(descriptor) }
    var size = 0
    for count in [65_536, 1_024] {
        let bytes = [UInt8](repeating: 1, count: count)
        while true {
            let written = write(descriptor, bytes, count)
            guard written > 0 else { break }
            size += written
        }
    }
    return size
}

/// Writes until a file is as large as this process may make one, and goes on once it may make it larger.
func reachSizeLimit(engine: String, folder: URL) throws {
    signal(SIGXFSZ, SIG_IGN)
    let store = folder.appendingPathComponent("entries.store")
    let client = try openStore(engine: engine, at: store)
    try client.blocking.insert(Entry(0))
    guard faults_limit(faults_file_size, 3 << 20) else { return print("impossible") }
    var stored = 1
    print(
        code {
            while stored < 1_000_000 {
                try client.blocking.insert((stored..<stored + 100).map { Entry($0) })
                stored += 100
            }
        }
    )
    print("readable", try client.blocking.count(Entry.all) == stored)
    _ = faults_limit(faults_file_size, .max)
    try client.blocking.insert(Entry(-1))
    try client.close()
    let reopened = try openStore(engine: engine, at: store)
    print("whole", try reopened.blocking.count(Entry.all) == stored + 1)
    try reopened.close()
}

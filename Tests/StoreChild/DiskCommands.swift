import CFaults
import DBClientCore
import DBClientObjectStore
import Foundation
import StoreEntry

/// Runs a command about processes that die within a commit, and about object stores on a disk that is full, and
/// returns whether it was one.
func runDiskCommand(_ arguments: [String]) throws -> Bool {
    guard arguments.count > 1 else { return false }
    let url = URL(fileURLWithPath: arguments[1])
    switch arguments[0] {
    case "die-after-commit":
        guard let id = arguments.last.flatMap(Int.init) else { return false }
        let client = try ObjectStoreDBClient(at: url)
        try client.blocking.insert(Entry(id))
        // The two pages that say which commit is the last.
        guard faults_kill_after_write(8_192) else { return true }
        try client.blocking.insert(Entry(id + 1))
    case "ids":
        let client = try ObjectStoreDBClient(at: url)
        print(try client.blocking.fetch(Entry.all).map { "\($0.id)" }.joined(separator: " "))
        try client.close()
    case "open-full": try openOnFullDisk(url)
    case "hold-full": try holdOnFullDisk(url)
    case "crowd-full": try crowdFullDisk(url)
    case "read-and-wait":
        do {
            let client = try ObjectStoreDBClient(at: url)
            try client.readBlocking { transaction in
                let count = try transaction.count(Entry.all)
                FileHandle.standardOutput.write(Data("read \(count)\n".utf8))
                while readLine() != nil {}
            }
        } catch {
            print("error", (error as? DBClientError)?.code as Any)
        }
    default: return false
    }
    return true
}

private func makeStore(in folder: URL) throws -> URL {
    let url = folder.appendingPathComponent("entries.store")
    let client = try ObjectStoreDBClient(at: url)
    try client.blocking.insert((0..<100).map { Entry($0) })
    try client.close()
    return url
}

/// Takes every byte that a file system has, until its files in a folder have all of them: what was deleted is given
/// back a little later.
private func fill(_ folder: URL) throws {
    let path = folder.appendingPathComponent("filler").path
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    defer { close(file) }
    let end = ContinuousClock.now + .seconds(60)
    while try isRoom(beside: folder) {
        guard ContinuousClock.now < end else {
            throw DBClientError(.timeout, "The disk did not become full.")
        }
        for size in [1 << 16, 4_096, 512, 1] {
            let bytes = [UInt8](repeating: 1, count: size)
            while write(file, bytes, size) == size {}
        }
        usleep(1_000)
    }
}

/// Whether the file system of a folder has blocks that none of the folder's files has.
private func isRoom(beside folder: URL) throws -> Bool {
    var system = statvfs()
    guard statvfs(folder.path, &system) == 0 else { throw DBClientError(.io, "No file system.") }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let taken = names.reduce(0) { sum, name in
        var file = stat()
        return stat(folder.appendingPathComponent(name).path, &file) == 0
            ? sum + Int(file.st_blocks) * 512 : sum
    }
    return taken < Int(system.f_blocks) * Int(system.f_frsize)
}

/// Opens a store whose file of locks is gone, on a full disk, and again when there is room.
private func openOnFullDisk(_ folder: URL) throws {
    let url = try makeStore(in: folder)
    try FileManager.default.removeItem(atPath: url.path + "-lock")
    try fill(folder)
    do {
        _ = try ObjectStoreDBClient(at: url)
        print("opened")
    } catch let error as DBClientError {
        print("code", error.code)
    }
    try FileManager.default.removeItem(at: folder.appendingPathComponent("filler"))
    let client = try ObjectStoreDBClient(at: url)
    print("entries", try client.blocking.count(Entry.all))
    try client.close()
}

/// Holds many snapshots on a full disk.
private func holdOnFullDisk(_ folder: URL) throws {
    let url = try makeStore(in: folder)
    let client = try ObjectStoreDBClient(at: url)
    try fill(folder)
    let results = try (0..<200).map { _ in try client.blocking.results(of: Entry.all) }
    print("held", try results.allSatisfy { try $0[99].id == 99 })
    try client.close()
}

/// Has many processes read on a full disk.
private func crowdFullDisk(_ folder: URL) throws {
    let url = try makeStore(in: folder)
    let client = try ObjectStoreDBClient(at: url)
    try fill(folder)
    let children = try (0..<40).map { _ in
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["read-and-wait", url.path]
        process.standardInput = Pipe()
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
    }
    var read = 0
    for (_, output) in children
    where String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        == "read 100\n"
    {
        read += 1
    }
    for (process, _) in children {
        try (process.standardInput as? Pipe)?.fileHandleForWriting.close()
        process.waitUntilExit()
    }
    let ended = children.count { $0.0.terminationReason == .exit }
    print("read", read, "ended", ended)
    try client.close()
}

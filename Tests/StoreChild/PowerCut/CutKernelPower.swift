import CFaults
import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation
import StoreEntry

/// Runs a command about power cuts of a file system, and returns whether it was one.
///
///     cut-kernel-power object-store|sqlite full|relaxed|promised IMAGE FOLDER SEED COUNT
///     write-durably object-store|sqlite full|relaxed|promised PATH FIRST
func runKernelPowerCommand(_ arguments: [String]) throws -> Bool {
    switch arguments.first {
    case "cut-kernel-power" where arguments.count == 7:
        guard let seed = UInt64(arguments[5]), let count = Int(arguments[6]) else { return false }
        var cuts = KernelPowerCuts(
            engine: arguments[1],
            durability: arguments[2],
            image: arguments[3],
            folder: URL(fileURLWithPath: arguments[4]),
            random: Numbers(seed: seed)
        )
        try cuts.run(count)
    case "write-durably" where arguments.count == 5:
        guard let first = Int(arguments[4]) else { return false }
        let url = URL(fileURLWithPath: arguments[3])
        guard let client = try? open(arguments[1], arguments[2], at: url) else { return true }
        // An error is what the power cut is for. What crashes instead leaves a process that prints the crash, and holds
        // the pipe.
        if arguments[2] == "promised" {
            tell(first..<first + 1_000)
        }
        for id in first... {
            guard (try? client.blocking.insert(Entry(id))) != nil else { break }
            if arguments[2] != "promised" { tell(id..<id + 1) }
        }
    default: return false
    }
    return true
}

private func tell(_ ids: Range<Int>) {
    FileHandle.standardOutput.write(Data(ids.map { "\($0)\n" }.joined().utf8))
}

private func open(_ engine: String, _ durability: String, at url: URL) throws -> any DBClient {
    let durability: Durability = durability == "relaxed" ? .relaxed : .full
    if engine == "sqlite" {
        return try SQLDBClient.sqlite(
            at: url,
            configuration: SQLiteConfiguration(durability: durability)
        )
    }
    return try ObjectStoreDBClient(
        at: url,
        key: engine == "encrypted-object-store" ? storeKey : nil,
        durability: durability
    )
}

/// Cuts the power of a file system under a process that writes to a store on it, again and again, and compares what
/// the store has then with what the process had acknowledged.
private struct KernelPowerCuts {
    let engine: String
    let durability: String
    /// The file with the file system.
    let image: String
    /// The folder at which the file system is mounted.
    let folder: URL
    var random: Numbers
    private var acknowledged: Set<Int> = []
    /// What was told while the power was being cut, and may be there or not.
    private var doubtful: Int?
    private var lost = 0
    private var torn = 0
    private var details: [String] = []

    init(engine: String, durability: String, image: String, folder: URL, random: Numbers) {
        self.engine = engine
        self.durability = durability
        self.image = image
        self.folder = folder
        self.random = random
    }

    private var store: URL { folder.appendingPathComponent("entries.store") }

    mutating func run(_ count: Int) throws {
        for cut in 0..<count {
            // A store is read whole after each cut, so that it has to stay small.
            if cut.isMultiple(of: 20) {
                try call("mkfs.ext4", "-q", "-F", image)
                acknowledged = []
            }
            try call("mount", "-o", "loop", image, folder.path)
            guard try self.cut(first: cut * 100_000) else { return print("impossible") }
            try call("umount", folder.path)
            try call("mount", "-o", "loop", image, folder.path)
            let failure = Result { try check(cut) }
            try call("umount", folder.path)
            try failure.get()
        }
        print("cuts", count)
        print("lost", lost)
        print("torn", torn)
        for detail in details.prefix(5) { print(detail) }
    }

    /// Has a process write for some time, and cuts the power; returns false where that is not possible.
    private mutating func cut(first: Int) throws -> Bool {
        let writer = Process()
        let output = Pipe()
        writer.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        writer.arguments = ["write-durably", engine, durability, store.path, "\(first)"]
        writer.standardOutput = output
        // That its writes fail is what the power cut is to do.
        writer.standardError = FileHandle.nullDevice
        try writer.run()
        var told = output.fileHandleForReading.availableData
        usleep(UInt32(random.next(60_000)))
        told += availableData(of: output.fileHandleForReading)
        let before = ids(told)
        let isCut = faults_cut_power(folder.path)
        kill(writer.processIdentifier, SIGKILL)
        told += output.fileHandleForReading.readDataToEndOfFile()
        writer.waitUntilExit()
        let all = ids(told)
        acknowledged.formUnion(all)
        // A sync that begins from here on fails. One that was under way ends without an error, whether or not it
        // wrote anything, when ext4 gives its journal up: the writer tells what no power would have let it tell.
        doubtful = all.count > before.count ? all.last : nil
        return isCut
    }

    /// Returns what is in a pipe now, without waiting for more.
    private func availableData(of pipe: FileHandle) -> Data {
        var data = Data()
        var question = pollfd(fd: pipe.fileDescriptor, events: Int16(POLLIN), revents: 0)
        while poll(&question, 1, 0) > 0, question.revents & Int16(POLLIN) != 0 {
            data += pipe.availableData
        }
        return data
    }

    /// Returns the ids that were told in whole lines.
    private func ids(_ told: Data) -> [Int] {
        told.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
            .dropLast(told.last == UInt8(ascii: "\n") ? 0 : 1)
            .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    }

    private mutating func check(_ cut: Int) throws {
        try verifyStore(engine: engine, at: store)
        let client = try open(engine, durability, at: store)
        let entries = try client.blocking.fetch(Entry.all)
        let gone = acknowledged.subtracting(entries.map(\.id)).filter { $0 != doubtful }.sorted()
        lost += gone.count
        if !gone.isEmpty {
            let last = (acknowledged.max() ?? 0, entries.last?.id ?? 0)
            details.append("cut \(cut): \(gone.prefix(5)), told \(last.0), found \(last.1)")
        }
        torn += entries.count { $0 != Entry($0.id) }
        for bucket in 0..<7 {
            let found = try client.blocking.count(Entry.where { $0.bucket == bucket })
            if found != entries.count(where: { $0.bucket == bucket }) { torn += 1 }
        }
        acknowledged = Set(entries.map(\.id))
        try client.close()
    }

    private func call(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw DBClientError(.io, "\(words.joined(separator: " ")) failed.")
        }
    }
}

import DBClientCore
import DBClientObjectStore
import Foundation
import Testing

/// Held by heroes.
@Stored struct Publisher: Equatable {
    let id: Int
    var name: String
}

/// With a field of most types, and with values of others.
@Stored struct Hero: Equatable {
    let id: Int
    @Unique var name: String
    @Indexed var year: Int?
    var power: Double = 0
    var isActive = true
    var born: Date?
    var badge: Data?
    var code: UUID
    var worth: Decimal = 0
    var home: URL?
    var tags: [String] = []
    @Relationship(onDelete: .nullify) var publisher: Publisher?
    @Relationship(onDelete: .weak) var mentor: Reference<Hero>?
    var rivals: References<Hero> = References()
}

/// A folder of a test's own, and the command run in it.
final class Workplace {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClientToolTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    /// What a run of the command has left.
    struct Run {
        let code: Int32
        let output: String
        let errors: String
    }

    /// Returns the command, to be started.
    func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("dbclient")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Starts the command, whose output is dropped.
    func start(_ arguments: String...) throws -> Process {
        let process = process(arguments)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Runs the command with arguments, and with text for its input.
    func run(_ arguments: String..., input: String? = nil) throws -> Run {
        try run(arguments, input: input)
    }

    func run(_ arguments: [String], input: String? = nil) throws -> Run {
        let process = process(arguments)
        // Files, since a full pipe would hold the process up.
        let (output, errors) = (path(".out-\(UUID())"), path(".err-\(UUID())"))
        for file in [output, errors] { try Data().write(to: URL(fileURLWithPath: file)) }
        defer { for file in [output, errors] { unlink(file) } }
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: errors)
        if let input {
            let file = path(".in-\(UUID())")
            try input.write(toFile: file, atomically: false, encoding: .utf8)
            process.standardInput = FileHandle(forReadingAtPath: file)
            unlink(file)
        }
        try process.run()
        process.waitUntilExit()
        return Run(
            code: process.terminationStatus,
            output: try String(contentsOfFile: output, encoding: .utf8),
            errors: try String(contentsOfFile: errors, encoding: .utf8)
        )
    }

    /// Makes an object store of heroes and returns its path.
    func heroes(_ name: String = "heroes.store") async throws -> String {
        let client = try ObjectStoreDBClient(at: folder.appendingPathComponent(name))
        try await client.insert(Self.heroes)
        try client.close()
        return path(name)
    }

    static let heroes = [
        Hero(
            id: 1,
            name: "Iron Man",
            year: 1963,
            power: 0.1,
            born: Date(timeIntervalSince1970: -1.000001),
            badge: Data([0, 255]),
            code: UUID(uuidString: "00000000-0000-0000-0000-000000000001")!,
            worth: Decimal(string: "12345678901234567890.01")!,
            home: URL(string: "https://example.org/a?b=c"),
            tags: ["a,b", "\"quoted\"", "two\nlines"],
            publisher: Publisher(id: 1, name: "Marvel"),
            mentor: Reference(2),
            rivals: References([2, 3, 2])
        ),
        Hero(
            id: 2,
            name: "O'Brien, \"the\" 1'); DROP TABLE Hero; --",
            year: nil,
            power: -.infinity,
            code: UUID(uuidString: "00000000-0000-0000-0000-000000000002")!,
            worth: -1,
            publisher: Publisher(id: 2, name: "")
        ),
        Hero(
            id: 3,
            name: " Ünï\r\ncode \u{2028}",
            year: .min,
            power: 1e300,
            isActive: false,
            code: UUID(uuidString: "00000000-0000-0000-0000-000000000003")!
        ),
    ]

    /// Returns the heroes of an object store.
    func stored(_ name: String) async throws -> [Hero] {
        let client = try ObjectStoreDBClient(at: folder.appendingPathComponent(name))
        defer { try? client.close() }
        return try await client.findAll(Hero.self)
    }

    /// Deletes everything from an object store, whose entities stay.
    func empty(_ name: String) async throws {
        let client = try ObjectStoreDBClient(at: folder.appendingPathComponent(name))
        try await client.deleteAll(Hero.self)
        try await client.deleteAll(Publisher.self)
        try client.close()
    }
}

/// The lines that a process writes, as they come.
struct PipeLines {
    private let file: FileHandle
    private var buffer = Data()

    init(_ pipe: Pipe) {
        file = pipe.fileHandleForReading
    }

    /// Waits for the next line; nil at the end.
    mutating func next() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer = Data(buffer[(end + 1)...]) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            let more = file.nextData
            if more.isEmpty { return nil }
            buffer += more
        }
    }
}

extension FileHandle {
    /// What there is to read, waited for; empty at the end.
    ///
    /// `availableData` traps where a signal interrupts it, such as that of a process which has ended.
    var nextData: Data {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = readBytes(fileDescriptor, &bytes, bytes.count)
            if count >= 0 { return Data(bytes[..<count]) }
            guard errno == EINTR else { return Data() }
        }
    }
}

/// The call of the system; `FileHandle` has a method of its name.
private func readBytes(_ descriptor: Int32, _ bytes: inout [UInt8], _ count: Int) -> Int {
    read(descriptor, &bytes, count)
}

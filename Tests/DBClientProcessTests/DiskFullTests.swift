import DBClientCore
import Foundation
import Testing

/// A full disk: a typed error, nothing lost, and writing goes on once there is room.
///
/// The disk is a small file system in memory, which a process may mount in a mount namespace of its
/// own; where the system does not allow that, the test is skipped.
@Suite(.enabled(if: SmallDisk.isPossible, "No file system can be mounted here."))
struct DiskFullTests {
    @Test(arguments: ProcessTests.Engine.allCases)
    func aFullDiskLosesNothing(engine: ProcessTests.Engine) throws {
        let folder = try TemporaryFolder()
        let output = try SmallDisk.run(
            [try Child.executable().path, "fill", engine.rawValue, folder.url.path],
            on: folder.url
        )
        #expect(output == ["code full", "acknowledged true", "readable true", "reopened true"])
    }

    /// LMDB maps its file of locks, which had no room on the disk: to touch it ended the process.
    @Test func aFullDiskHasNoRoomForTheLocks() throws {
        #expect(try run("open-full") == ["code full", "entries 100"])
    }

    @Test func manySnapshotsAreHeldOnAFullDisk() throws {
        #expect(try run("hold-full") == ["held true"])
    }

    @Test func manyProcessesReadOnAFullDisk() throws {
        #expect(try run("crowd-full") == ["read 40 ended 40"])
    }

    private func run(_ command: String) throws -> [String] {
        let folder = try TemporaryFolder()
        return try SmallDisk.run(
            [try Child.executable().path, command, folder.url.path],
            on: folder.url
        )
    }
}

/// A file system of three megabytes for one process.
private enum SmallDisk {
    static let isPossible: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        return (try? run(["/bin/echo", "mounted"], on: folder.url)) == ["mounted"]
    }()

    static func run(_ command: [String], on folder: URL) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["unshare", "--mount", "--map-root-user", "/bin/sh", "-c"]
            + [#"mount -t tmpfs -o size=3m none "$0" && exec "$@""#, folder.path] + command
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

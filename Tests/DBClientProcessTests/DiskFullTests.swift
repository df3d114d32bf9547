import DBClientCore
import Foundation
import Testing
import TrustRow

/// A full disk: a typed error, nothing lost, and writing goes on once there is room.
///
/// The disk is a small file system in memory, which a process may mount in a mount namespace of its
/// own; where the system does not allow that, the test is skipped.
@Suite(
    .enabled(if: SmallDisk.isPossible, "No file system can be mounted here."),
    .counts(for: "R5", part: "disk")
)
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

/// A store that is opened where nothing is left of the disk: the log's index is mapped, and a page of it that had no
/// place on the disk ended the process.
@Suite(
    .enabled(if: SmallDisk.hasSmallBlocks, "No disk of small blocks can be mounted here."),
    .counts(for: "R5", part: "disk")
)
struct OpeningOnFullDiskTests {
    @Test func aFullDiskDoesNotEndTheProcess() throws {
        let folder = try TemporaryFolder()
        let output = try SmallDisk.run(
            [try Child.executable().path, "open-full", "sqlite", folder.url.path],
            on: folder.url,
            blocks: true
        )
        #expect(output == ["codes full none", "whole true"])
    }
}

/// A file that may not become larger than a process's limit, `RLIMIT_FSIZE`.
@Suite(.counts(for: "R5", part: "file-size")) struct SizeLimitTests {
    @Test(arguments: ProcessTests.Engine.allCases)
    func aSizeLimitIsAFullStore(engine: ProcessTests.Engine) throws {
        let folder = try TemporaryFolder()
        let child = try Child("size-limit", engine.rawValue, folder.url.path)
        let lines = child.waitForLines()
        #expect(lines == ["full", "readable true", "whole true"] || lines == ["impossible"])
    }
}

/// A file system of three megabytes for one process.
private enum SmallDisk {
    /// Whether this process may mount a disk of four megabytes whose blocks are smaller than SQLite's pages.
    static let hasSmallBlocks: Bool = {
        guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
        return (try? run(["/bin/echo", "mounted"], on: folder.url, blocks: true)) == ["mounted"]
    }()

    static let isPossible: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        return (try? run(["/bin/echo", "mounted"], on: folder.url)) == ["mounted"]
    }()

    private static let inMemory = #"mount -t tmpfs -o size=3m none "$0" && exec "$@""#
    private static let withBlocks = #"""
        dd if=/dev/zero of="$0.img" bs=1M count=4 2>/dev/null && mkfs.ext4 -q -b 1024 -m 0 -O ^has_journal "$0.img" &&
        mount -o loop "$0.img" "$0" && rm "$0.img" && "$@"; umount "$0"
        """#

    static func run(
        _ command: [String],
        on folder: URL,
        blocks: Bool = false
    ) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["unshare", "--mount"] + (blocks ? [] : ["--map-root-user"])
            + ["/bin/sh", "-c", blocks ? withBlocks : inMemory, folder.path] + command
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

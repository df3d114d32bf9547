import Foundation
import Testing
import TrustRow

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a store has after a power cut of its file system by the kernel: ext4 in a file, told to forget what it has
/// not written yet.
///
/// `DBCLIENT_KERNEL_POWER_CUTS` says how many cuts; without it, and without a privileged process, they are left out.
@Suite(
    .serialized,
    .enabled(if: KernelDisk.isPossible, "No file system can be cut off here.")
)
struct KernelPowerCutTests {
    private static let row = TrustRow("R3")

    @Test(arguments: ProcessTests.Engine.allCases)
    func nothingAcknowledgedIsLost(engine: ProcessTests.Engine) throws {
        let start = ContinuousClock.now
        let cuts = Self.row.size("DBCLIENT_KERNEL_POWER_CUTS", short: 3)
        let lines = try KernelDisk.cut(engine, "full", seed: Self.row.seed, cuts: cuts)
        #expect(lines == ["cuts \(cuts)", "lost 0", "torn 0"])
        Self.row.report(cuts, of: engine.rawValue, since: start)
    }

    /// Otherwise the cuts would prove nothing.
    ///
    /// An object store that is relaxed loses no more than its last commit, which
    /// few cuts meet, so that its writer tells what it has not written yet.
    @Test(arguments: ProcessTests.Engine.allCases)
    func aRelaxedStoreLosesWritesAndIsWhole(engine: ProcessTests.Engine) throws {
        let fault = engine == .sqlite ? "relaxed" : "promised"
        let lines = try KernelDisk.cut(engine, fault, seed: 1, cuts: 2)
        // Further lines say which were lost.
        #expect(lines.count > 2 && lines[1] != "lost 0" && lines[2] == "torn 0", "\(lines)")
    }
}

/// A file system in a file, whose power the kernel cuts.
private enum KernelDisk {
    /// Whether it was asked for, and may be done.
    static let isPossible =
        ProcessInfo.processInfo.environment["DBCLIENT_KERNEL_POWER_CUTS"] != nil && geteuid() == 0
        && (try? cut(.sqlite, "full", seed: 1, cuts: 1).first) == "cuts 1"

    static func cut(
        _ engine: ProcessTests.Engine,
        _ durability: String,
        seed: UInt64,
        cuts: Int
    ) throws -> [String] {
        let folder = try TemporaryFolder()
        let image = folder.url.appendingPathComponent("image")
        let mount = folder.url.appendingPathComponent("mount")
        try FileManager.default.createDirectory(at: mount, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: image.path, contents: nil)
        guard truncate(image.path, 24 << 20) == 0 else { return [] }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "unshare", "--mount", try Child.executable().path, "cut-kernel-power",
            engine.rawValue, durability, image.path, mount.path, "\(seed)", "\(cuts)",
        ]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

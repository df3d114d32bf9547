import Foundation

/// A small file system in memory.
struct Disk {
    let path: String

    /// Mounts a file system whose folder has the owner of another one.
    ///
    /// - Throws: An error where that is not allowed, as for every user but root.
    init(megabytes: Int, ownedLike other: String) async throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClientDisk-\(UUID().uuidString.prefix(8))").path
        var owner = stat()
        guard stat(other, &owner) == 0 else { throw POSIXError(.ENOENT) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let options =
            "size=\(megabytes)m,mode=0700,uid=\(owner.st_uid),gid=\(owner.st_gid)"
        _ = try await Program.run("/bin/mount", ["-t", "tmpfs", "-o", options, "none", path])
    }

    /// Whether this process may mount file systems.
    static func canBeMounted() async -> Bool {
        guard let disk = try? await Disk(megabytes: 1, ownedLike: "/") else { return false }
        await disk.remove()
        return true
    }

    func remove() async {
        // The server may still have files open there.
        _ = try? await Program.run("/bin/umount", ["--lazy", path])
        rmdir(path)
    }
}

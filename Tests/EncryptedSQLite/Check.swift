import DBClientCore
import Foundation

/// A check by name, and what it fails with.
struct Check: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let name: String
    let run: @Sendable (Folder) async throws -> Void

    /// Every check.
    static let all = KeyChecks.all + LegibleChecks.all + DamageChecks.all + RekeyChecks.all

    /// Runs those whose names have a text in them, and tells how it went.
    static func run(_ part: String?) async -> Bool {
        let chosen = all.filter { check in part.map { check.name.contains($0) } ?? true }
        var failures = 0
        for check in chosen {
            let start = ContinuousClock.now
            do {
                let folder = try Folder()
                defer { folder.remove() }
                try await check.run(folder)
                tell("✔ \(check.name) (\(ContinuousClock.now - start))")
            } catch {
                failures += 1
                tell("✘ \(check.name): \(error)")
            }
        }
        tell("\(chosen.count - failures) passed, \(failures) failed")
        return failures == 0 && !chosen.isEmpty
    }
}

/// A folder that is removed with all that is in it.
struct Folder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "EncryptedSQLite-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    var store: URL { url.appendingPathComponent("store.sqlite") }
    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
    func remove() { try? FileManager.default.removeItem(at: url) }

    /// The content of all files, by name.
    func content() throws -> [String: Data] {
        var content: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
            content[name] = try Data(contentsOf: file(name))
        }
        return content
    }
}

func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Check.Failure(description: message()) }
}

/// Runs a body that has to throw a code.
@discardableResult
func expectError(
    _ code: DBClientError.Code,
    _ what: String,
    _ body: () async throws -> Void
) async throws -> DBClientError {
    do {
        try await body()
    } catch let error as DBClientError {
        try expect(error.code == code, "\(what) gives \(error.code) and not \(code): \(error)")
        return error
    }
    throw Check.Failure(description: "\(what) throws nothing.")
}

/// Prints a line at once, even where what reads it is a file or another process.
func tell(_ line: Any) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

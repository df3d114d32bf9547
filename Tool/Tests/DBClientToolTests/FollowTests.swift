import DBClientCore
import DBClientObjectStore
import DBClientSQLite
import Foundation
import Testing

/// Copies that follow their source.
@Suite struct FollowTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    /// A copy that runs, ended after some minutes at the latest.
    private final class Following {
        let process: Process
        private var lines: PipeLines

        init(_ place: Workplace, _ arguments: String...) throws {
            process = place.process(["copy"] + arguments + ["--follow"])
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.run()
            lines = PipeLines(pipe)
            let watched = process
            DispatchQueue.global().asyncAfter(deadline: .now() + 300) { watched.terminate() }
        }

        deinit {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
        }

        /// Waits for the next line; nil at the end.
        func next() -> String? { lines.next() }

        /// Reads lines until a condition holds, which each line may be the last to make true.
        func wait(until condition: () async throws -> Bool) async throws {
            while try await !condition() {
                _ = try #require(next())
            }
        }
    }

    private func source() throws -> ObjectStoreDBClient {
        try ObjectStoreDBClient(at: place.folder.appendingPathComponent("heroes.store"))
    }

    private func target(_ name: String) throws -> any DBClient {
        let url = place.folder.appendingPathComponent(name)
        return name.hasSuffix("sqlite")
            ? try SQLDBClient.sqlite(at: url) : try ObjectStoreDBClient(at: url)
    }

    /// Whether the target has the heroes and publishers of the source.
    private func isAlike(_ source: any DBClient, _ target: any DBClient) async throws -> Bool {
        let heroes = try await source.findAll(Hero.self) == target.findAll(Hero.self)
        guard heroes else { return false }
        return try await source.findAll(Publisher.self) == target.findAll(Publisher.self)
    }

    @Test(arguments: ["kept.sqlite", "kept.store"]) func whatIsCommittedIsCopied(
        name: String
    ) async throws {
        let store = try await place.heroes()
        let prefix = name.hasSuffix("sqlite") ? "sqlite" : "object"
        let following = try Following(place, store, "\(prefix):\(name)", "--verify")
        #expect(following.next() == "Hero: 3 inserted, 0 replaced")
        #expect(following.next() == "Publisher: 2 inserted, 0 replaced")
        let (source, target) = (try source(), try target(name))
        defer {
            try? source.close()
            try? target.close()
        }
        try await source.insert(Publisher(id: 3, name: "DC"))
        #expect(following.next() == "Publisher: 1 inserted, 0 replaced, 0 deleted")
        #expect(try await isAlike(source, target))
        // Rows with their links, and one that goes with what refers to it.
        try await source.write { transaction in
            var hero = Workplace.heroes[0]
            hero.name = "Tony"
            hero.rivals = References([3, 2])
            hero.publisher = Publisher(id: 3, name: "Detective Comics")
            try transaction.upsert(hero)
            try transaction.delete(Publisher.self, key: 1)
        }
        try await following.wait { try await isAlike(source, target) }
        // Two that exchange a unique value.
        try await source.write { transaction in
            try transaction.update(Hero.self, key: 1) { $0.set(\.name, to: "between") }
            try transaction.update(Hero.self, key: 3) { $0.set(\.name, to: "Tony") }
            try transaction.update(Hero.self, key: 1) { $0.set(\.name, to: "Steve") }
            try transaction.update(Hero.self, key: 2) { $0.set(\.name, to: "first") }
        }
        try await following.wait { try await isAlike(source, target) }
        try await source.write { transaction in
            try transaction.update(Hero.self, key: 1) { $0.set(\.name, to: "between") }
            try transaction.update(Hero.self, key: 3) { $0.set(\.name, to: "Steve") }
            try transaction.update(Hero.self, key: 1) { $0.set(\.name, to: "Tony") }
        }
        try await following.wait { try await isAlike(source, target) }
        try await source.deleteAll(Hero.self)
        try await following.wait { try await isAlike(source, target) }
        following.process.interrupt()
        following.process.waitUntilExit()
        #expect(following.process.terminationStatus == 0)
        var last: String?
        while let line = following.next() { last = line }
        #expect(last == "verified: the checksums are equal")
    }

    @Test(arguments: [0, 30, 120]) func aKilledCopyGoesOnByWhatDiffers(
        _ milliseconds: Int
    ) async throws {
        let store = try await place.heroes()
        let source = try source()
        defer { try? source.close() }
        try await source.insert((10..<5_000).map { Publisher(id: $0, name: "name \($0)") })
        let first = try Following(place, store, "sqlite:kept.sqlite")
        #expect(first.next() == "Hero: 3 inserted, 0 replaced")
        try await source.delete(Publisher.where { $0.id >= 4_000 })
        // When the copy is killed decides nothing: a step is all or nothing.
        usleep(UInt32(milliseconds) * 1_000)
        kill(first.process.processIdentifier, SIGKILL)
        first.process.waitUntilExit()
        try await source.insert((5_000..<6_500).map { Publisher(id: $0, name: "name \($0)") })
        try await source.update(Publisher.where { $0.id < 1_000 && $0.id >= 10 }) {
            $0.set(\.name, to: "new")
        }
        #expect(try place.run("copy", store, "kept.sqlite", "--follow").errors.contains("--yes"))
        let second = try Following(place, store, "kept.sqlite", "--yes")
        let target = try target("kept.sqlite")
        defer { try? target.close() }
        try await second.wait { try await isAlike(source, target) }
        #expect(try place.run("copy", "a", "b", "--follow", "--replace").code == 64)
        #expect(try place.run("copy", "a", "b", "--follow", "--resumable").code == 64)
    }
}

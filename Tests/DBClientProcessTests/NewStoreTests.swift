import DBClientCore
import DBClientObjectStore
import Foundation
import StoreEntry
import Testing

/// Processes that make one store: at the same time, while one of them does not go on, and after one was killed.
@Suite(.serialized) struct NewStoreTests {
    /// What the file gets its name by: the second where the first cannot be done, and so on.
    enum Way: String, CaseIterable, Sendable {
        case rename, link
        case inPlace = "in-place"
    }

    private static let ways = isPossible ? Way.allCases : [.rename]

    @Test(arguments: ways) func oneOfManyMakersWins(way: Way) throws {
        let folder = try TemporaryFolder()
        let count = 40
        let start = "\(Date().timeIntervalSince1970 + 0.5)"
        let children = try (1...4).map {
            try Child("race", way.rawValue, folder.url.path, "\($0)", "\(count)", start)
        }
        for child in children { #expect(child.waitForLines() == ["made"]) }
        for number in 0..<count {
            let store = folder.url.appendingPathComponent("\(number).store")
            let client = try ObjectStoreDBClient(at: store)
            #expect(try client.blocking.fetch(Entry.all).map(\.id) == Array(1...4))
            try client.close()
        }
        // With each store its locks, and nothing that a maker has left.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.count == 2 * count, "\(names.sorted())")
    }

    /// At every change of a file that it makes: no process waits for it, and what the other has made stays.
    @Test(
        .enabled(if: isPossible, "Only on Linux does a process stop where it shall."),
        arguments: [Way.rename, .link]
    )
    func aMakerThatStoppedIsNotWaitedFor(way: Way) throws {
        for time in 1... {
            let folder = try TemporaryFolder()
            let child = try maker(way, folder, "wait", time)
            try child.waitForLine("waits")
            // From here on it opens what there is.
            if FileManager.default.fileExists(atPath: folder.store.path) {
                child.kill()
                _ = child.waitForLines()
                #expect(time > 5)
                break
            }
            let client = try ObjectStoreDBClient(at: folder.store)
            try client.blocking.insert(Entry(0))
            try child.endInput()
            #expect(child.waitForLines().last == "made", "change \(time)")
            #expect(try client.blocking.fetch(Entry.all).map(\.id) == [0, 1], "change \(time)")
            try client.close()
            try expectStoreAlone(in: folder, "change \(time)")
        }
    }

    @Test(
        .enabled(if: isPossible, "Only on Linux is a process killed where it shall be."),
        arguments: Way.allCases
    )
    func aMakerThatWasKilledLeavesNothing(way: Way) throws {
        for time in 1... {
            let folder = try TemporaryFolder()
            let isMade = try maker(way, folder, "kill", time).waitForLines().last == "made"
            let client = try ObjectStoreDBClient(at: folder.store)
            try client.blocking.insert(Entry(0))
            let ids = try client.blocking.fetch(Entry.all).map(\.id)
            #expect(ids == (isMade ? [0, 1] : [0]), "change \(time)")
            try client.close()
            try expectStoreAlone(in: folder, "change \(time)")
            if isMade {
                #expect(time > 5)
                break
            }
        }
    }

    /// Starts a process that opens the store and is killed, or waits, before the change of a file with a number.
    private func maker(
        _ way: Way,
        _ folder: TemporaryFolder,
        _ stop: String,
        _ time: Int
    ) throws -> Child {
        try Child("make", way.rawValue, folder.store.path, stop, "\(time)")
    }

    private func expectStoreAlone(in folder: TemporaryFolder, _ comment: Comment) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        let store = folder.store.lastPathComponent
        #expect(names.sorted() == [store, store + "-lock"], comment)
    }
}

#if os(Linux)
private let isPossible = true
#else
private let isPossible = false
#endif

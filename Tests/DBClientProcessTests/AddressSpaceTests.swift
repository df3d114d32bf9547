import DBClientCore
import DBClientObjectStore
import Foundation
import StoreEntry
import Testing
import TrustRow

/// An object store whose map has to grow where the address space is used up: LMDB lets the old map go before it makes
/// the new one, and the next look at the store ended the process.
///
/// A child process limits its own address space.
@Suite(
    .serialized,
    .enabled(if: isPossible, "Only Linux limits the address space."),
    .counts(for: "R22", part: "object-store")
)
struct AddressSpaceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func writesAreRefusedAndReadsGoOn() throws {
        let child = try Child("without-room", folder.store.path)
        #expect(
            child.waitForLines() == [
                "write full", "grown true", "again full", "again full", "again full",
                "readable true", "kept true",
            ]
        )
    }

    /// The map of the process that writes is a terabyte, which the other one took over.
    @Test func onlyTheRoomThatIsNeededIsTakenOver() throws {
        #expect(try follow(megabytes: 224) == ["20001", "20001", "20001", "20001"])
    }

    @Test func whatHasNoRoomIsReadOnceThereIsSome() throws {
        #expect(try follow(megabytes: 136) == ["full", "full", "full", "20001"])
    }

    @Test func aStoreThatLostItsMapIsOpenedAgain() throws {
        let child = try Child("lose-map", folder.store.path)
        #expect(
            child.waitForLines() == [
                "write full", "failed 1", "read full", "write full", "statistics full",
                "kept true",
            ]
        )
    }

    /// What an engine keeps of what it reads and writes has to stay small.
    @Test(.counts(for: "R22", part: "sqlite"))
    func moreIsWrittenAndReadThanThereIsRoomFor() throws {
        let lines = try Child("little-room", "sqlite", folder.store.path, "100000").waitForLines()
        #expect(lines == ["read true", "counted true"])
    }

    /// Returns what a child process reads of 20,000 rows that are written here, beside its own.
    private func follow(megabytes: Int) throws -> [String] {
        let child = try Child("follow-without-room", folder.store.path, "\(megabytes)")
        try child.waitForLine("waits")
        let client = try ObjectStoreDBClient(at: folder.store, durability: .relaxed)
        let text = String(repeating: "x", count: 400)
        try client.blocking.insert((0..<20_000).map { Entry($0, text: "\($0) \(text)", bucket: 0) })
        #expect(try client.statistics().fileSize > 20 << 20)
        try child.endInput()
        let lines = child.waitForLines()
        #expect(try client.blocking.count(Entry.all) == 20_002)
        return Array(lines.dropFirst())
    }
}

#if os(Linux)
private let isPossible = true
#else
private let isPossible = false
#endif

import DBClientCore
import DBClientObjectStore
import Foundation
import Testing

/// What results that are held keep the store from.
@Suite struct ResultsTests {
    /// Returns the size of a store after many commits beside results of a greatest age, which is over when they
    /// begin, or does not come.
    private func size(withSnapshotsUpTo age: Duration, isOver: Bool) async throws -> Int {
        let folder = try TemporaryFolder()
        let client = try ObjectStoreDBClient(at: folder.store, durability: .relaxed)
        let notes = (0..<500).map { Note($0, String(repeating: "x", count: 200)) }
        try await client.insert(notes)
        let results = try await client.results(
            of: Note.all,
            options: FetchedResultsOptions(maximumSnapshotAge: age)
        )
        #expect(results.count == notes.count)
        if isOver { try waitUntil { try client.statistics().oldestSnapshotAge == nil } }
        for round in 0..<100 {
            try await client.update(Note.all) { $0.set(\.weight, to: Double(round)) }
        }
        // No value was asked for: the snapshot was let go without that.
        #expect(results.generation == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.store.path)
        return try withExtendedLifetime(results) {
            try #require(attributes[.size] as? Int)
        }
    }

    @Test func anOldSnapshotKeepsNoPages() async throws {
        let young = try await size(withSnapshotsUpTo: .milliseconds(50), isOver: true)
        let old = try await size(withSnapshotsUpTo: .seconds(600), isOver: false)
        #expect(young * 4 < old, "\(young) bytes with a snapshot let go, \(old) with one held")
    }
}

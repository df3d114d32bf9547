import DBClientCore
import Foundation
import Testing

@testable import DBClientObjectStore

/// What a migration leaves in the file.
@Suite final class MigrationTests {
    private let folder = try! TemporaryFolder()

    private let longText = String(repeating: "x", count: 600)

    private func fill(_ client: ObjectStoreDBClient, _ count: Int = 500) throws {
        try client.blocking.insert(
            (0..<count).map { Former(id: $0, name: "\($0 % 9)" + longText, score: $0) }
        )
    }

    private let step = Migration.adapt(Latter.self, removing: ["score"]) { $0.set(\.level, to: 2) }

    @Test func theFileIsSoundAfterEachKindOfChange() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        try fill(client)
        try client.blocking.migrate([step])
        try ObjectStoreDBClient.verify(at: folder.store)
        #expect(try client.blocking.count(Latter.where { $0.name == "4" + self.longText }) == 56)
        try client.blocking.migrate([
            .convert(Latter.self, to: Other.self) { Other(code: "\($0.id)", level: $0.id) }
        ])
        try ObjectStoreDBClient.verify(at: folder.store)
        try client.blocking.migrate([.perform("once") { try $0.deleteAll(Other.self) }])
        try client.blocking.insert(Other(code: "a", level: 1))
        try ObjectStoreDBClient.verify(at: folder.store)
        try client.blocking.migrate([.delete("Piece")])
        try ObjectStoreDBClient.verify(at: folder.store)
        try fill(client, 20)
        try ObjectStoreDBClient.verify(at: folder.store)
        #expect(try client.blocking.count(Former.all) == 20)
    }

    @Test func whatIsTakenAwayMakesRoom() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        try fill(client, 2_000)
        let size = try client.statistics().fileSize
        for _ in 0..<5 {
            try client.blocking.migrate([.delete("Piece")])
            try fill(client, 2_000)
        }
        #expect(try client.statistics().fileSize < size * 3)
        try ObjectStoreDBClient.verify(at: folder.store)
    }

    @Test func aSnapshotThatIsHeldKeepsTheFormerShape() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        try fill(client, 100)
        let held = try client.blocking.results(of: Former.all)
        try client.blocking.migrate([step])
        #expect(try held.values(in: 99..<100).first?.score == 99)
        #expect(try client.blocking.count(Latter.where { $0.level == 2 }) == 100)
    }

    @Test func aMigrationThatFillsTheMapIsMadeAllTheSame() throws {
        let client = try ObjectStoreDBClient(at: folder.store, mapSize: 64 << 20)
        let large = String(repeating: "y", count: 100_000)
        let count = 400
        for start in stride(from: 0, to: count, by: 50) {
            try client.blocking.insert(
                (start..<start + 50).map { Former(id: $0, name: "\($0)" + large, score: $0) }
            )
        }
        try client.blocking.migrate([step])
        #expect(try client.blocking.count(Latter.all) == count)
        #expect(try client.blocking.find(Latter.self, key: 399)?.name.hasPrefix("399y") == true)
    }
}

@Stored("Piece") private struct Former: Equatable {
    @PrimaryKey let id: Int
    @Indexed var name: String
    var score: Int
}

@Stored("Piece") private struct Latter: Equatable {
    @PrimaryKey let id: Int
    @Indexed var name: String
    @Indexed var level: Int
    var note: String?
}

@Stored("Piece") private struct Other: Equatable {
    @PrimaryKey let code: String
    @Unique var level: Int
}

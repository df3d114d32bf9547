import DBClientCore
import DBClientTesting
import Foundation
import Testing

/// Properties that begin with a value, added to models of which values are stored.
@Suite struct AddedPropertyTests {
    @Test(arguments: Backends.chosen)
    func storedValuesGetWhatAPropertyBeginsWith(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await client.insert([Shed.Former(id: 1), Shed.Former(id: 2)])
        let changes = try await client.migrate(to: Shed.Latter.self)
        #expect(changes.count == 1)
        #expect(
            try await client.findAll(Shed.Latter.self) == [Shed.Latter(id: 1), Shed.Latter(id: 2)]
        )
        // What is set comes first.
        try await client.insert(Shed.FormerTool(id: 1))
        try await client.migrate([.adapt(Shed.Tool.self) { $0.set(\.weight, to: 7) }])
        #expect(try await client.findAll(Shed.Tool.self) == [Shed.Tool(id: 1, weight: 7)])
    }

    @Test func aPropertyThatBeginsWithMoreThanALiteralMustBeSet() async throws {
        let client = InMemoryDBClient()
        try await client.insert(Shed.FormerTool(id: 1))
        let error = await #expect(throws: DBClientError.self) {
            try await client.migrate(to: Shed.MadeTool.self)
        }
        #expect(error?.code == .migrationRequired && error?.field == "made")
    }
}

private enum Shed {
    enum Mood: String { case calm, angry }

    @Stored("ShedLatter") struct Former {
        @PrimaryKey let id: Int
    }

    @Stored("ShedLatter") struct Latter: Equatable {
        @PrimaryKey let id: Int
        var count = 3
        var small: Int8 = -4
        var share: Double = 1
        var part: Float = 0.5
        var name = "na\"me\n"
        var isOn: Bool = true
        var mood: Mood = .angry
        var other: Mood? = .calm
        var none: Int? = nil
        var some: Int? = 5
        var tags: [String] = []
        var scores: [String: Int] = [:]
        var `default`: UInt16 = 9
        var tools: [Tool] = []

        init(id: Int) { self.id = id }
    }

    @Stored("ShedTool") struct FormerTool {
        @PrimaryKey let id: Int
    }

    @Stored("ShedTool") struct Tool: Equatable {
        @PrimaryKey let id: Int
        var weight = 1
    }

    @Stored("ShedTool") struct MadeTool: Equatable {
        @PrimaryKey let id: Int
        var made = Date()
    }
}

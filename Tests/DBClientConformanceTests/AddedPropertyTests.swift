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

    @Test(arguments: Backends.chosen.filter { $0.name.contains("SQL") })
    func theFormerVersionInsertsIntoATableOfTheNewerOne(
        _ backend: ConformanceBackend
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await client.insert(Shed.Latter(id: 1))
        try await client.insert(Shed.Former(id: 2))
        try await client.insert((3...40).map { Shed.Former(id: $0) })
        #expect(
            try await client.findAll(Shed.Latter.self) == (1...40).map { Shed.Latter(id: $0) }
        )
        // What begins with another value each time has none in the table.
        try await client.insert(Shed.GeneratedTool(id: 1))
        let error = await #expect(throws: DBClientError.self) {
            try await client.insert(Shed.FormerTool(id: 2))
        }
        #expect(error?.code == .schemaMismatch)
    }

    @Test func aPropertyThatBeginsWithAnotherValueEachTimeMustBeSet() async throws {
        let client = InMemoryDBClient()
        try await client.insert(Shed.FormerTool(id: 1))
        for step in [Migration.adapt(Shed.MadeTool.self), .adapt(Shed.GeneratedTool.self)] {
            let error = await #expect(throws: DBClientError.self) {
                try await client.migrate([step])
            }
            #expect(error?.code == .migrationRequired)
            // A few draws may all be the same.
            #expect(["made", "drawn", "token"].contains(error?.field))
        }
        let made = Date(timeIntervalSince1970: 7)
        try await client.migrate([.adapt(Shed.MadeTool.self) { $0.set(\.made, to: made) }])
        #expect(try await client.findAll(Shed.MadeTool.self).map(\.made) == [made])
    }

    @Test(arguments: Backends.chosen)
    func anOptionalStructGetsWhatItsNewFieldsBeginWith(
        _ backend: ConformanceBackend
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        let former = Shed.FormerAddress(street: "Main")
        try await client.insert([
            Shed.FormerHome(id: 1, address: former, other: former),
            Shed.FormerHome(id: 2, address: nil, other: former),
        ])
        let error = await #expect(throws: DBClientError.self) {
            try await client.migrate(to: Shed.BareHome.self)
        }
        #expect(error?.code == .migrationRequired && error?.field == "address_floor")
        try await client.migrate(to: Shed.Home.self)
        let address = Shed.Address(street: "Main")
        let homes = [
            Shed.Home(id: 1, address: address, other: address),
            Shed.Home(id: 2, address: nil, other: address),
        ]
        #expect(try await client.findAll(Shed.Home.self) == homes)
        #expect(try await client.count(Shed.Home.where { $0.address.floor == -1 }) == 1)
        #expect(try await client.count(Shed.Home.where { $0.address.floor == nil }) == 1)
        #expect(try await client.migrate(to: Shed.Home.self).isEmpty)
    }

    @Test(arguments: Backends.chosen)
    func aNewRelationshipGetsWhatTheStepSets(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await client.insert([Shed.FormerNote(id: 1), Shed.FormerNote(id: 2)])
        let error = await #expect(throws: DBClientError.self) {
            try await client.migrate([.adapt(Shed.Note.self)])
        }
        #expect(error?.code == .migrationRequired && error?.field == "folder")
        let lost = await #expect(throws: DBClientError.self) {
            try await client.migrate([
                .adapt(Shed.Note.self) {
                    $0.set(\.folder, to: Shed.Folder(id: 1, name: "inbox"))
                    $0.set(\.origin, to: Reference(8))
                }
            ])
        }
        #expect(lost?.code == .danglingReference)
        let step = Migration.adapt(Shed.Note.self) {
            $0.set(\.folder, to: Shed.Folder(id: 1, name: "inbox"))
            $0.set(\.origin, to: Reference(1))
        }
        #expect(try await client.pendingChanges(of: [step]).count == 1)
        #expect(try await client.count(Shed.Folder.all) == 0)
        try await client.migrate([step])
        let folder = Shed.Folder(id: 1, name: "inbox")
        let notes = [1, 2].map {
            Shed.Note(id: $0, folder: folder, origin: Reference(1), tools: [Shed.Tool(id: 9)])
        }
        #expect(try await client.findAll(Shed.Note.self) == notes)
        #expect(try await client.migrate([step]).isEmpty)
        let denied = await #expect(throws: DBClientError.self) {
            try await client.delete(Shed.Folder.self, key: 1)
        }
        #expect(denied?.code == .deletionDenied)
        // A list that was emptied since is not filled again.
        try await client.update(Shed.Note.self, key: 1) { $0.set(\.tools, to: []) }
        try await client.migrate([step])
        #expect(try await client.find(Shed.Note.self, key: 1)?.tools.isEmpty == true)
    }
}

private enum Shed {
    enum Mood: String { case calm, angry }

    enum Size: Int, Codable {
        case small = 1
        case large = 9

        static let usual = Size.large
        static var limit: Int { 12 }
    }

    struct Part: Codable, Equatable {
        var x = 1
        var names: [String] = ["a", "b"]
    }

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
        var size = Size.large
        var usual: Size = .usual
        var limit = Size.limit
        var list: [Int] = [1, 2]
        var words = ["a": -1, "b": 2]
        var set: Set<Int> = [3]
        var product = 2 * 3 - Size.limit
        var made = Date(timeIntervalSince1970: 60)
        var amount = Decimal(5) / 2
        var piece = Part(x: 4)
        var link: URL? = URL(string: "https://example.org")
        var text = "\(1 + 1)"
        var closure: Int = { 7 }()
        private(set) var seen = 3 { didSet { count += 1 } }
        var address = Address(street: "new", floor: 2)
        var none2: Address?
        var some2: Address? = Address(street: "some")

        init(id: Int) { self.id = id }
    }

    @Stored("ShedTool") struct FormerTool {
        @PrimaryKey let id: Int
    }

    @Stored("ShedTool") struct Tool: Equatable {
        @PrimaryKey let id: Int
        var weight = 1
    }

    @Embedded struct FormerAddress: Equatable {
        var street: String
    }

    @Embedded struct Address: Equatable {
        var street: String
        var floor = -1
        var size: Size? = Size.small
        var inner = Inner()
        var none: Inner?
    }

    @Embedded struct Inner: Equatable {
        var depth = Size.limit
    }

    @Embedded struct BareAddress: Equatable {
        var street: String
        var floor: Int
    }

    @Stored("ShedHome") struct FormerHome {
        @PrimaryKey let id: Int
        var address: FormerAddress?
        var other: FormerAddress
    }

    @Stored("ShedHome") struct Home: Equatable {
        @PrimaryKey let id: Int
        var address: Address?
        var other: Address
    }

    @Stored("ShedHome") struct BareHome: Equatable {
        @PrimaryKey let id: Int
        var address: BareAddress?
        var other: FormerAddress
    }

    @Stored("ShedNote") struct FormerNote {
        @PrimaryKey let id: Int
    }

    @Stored("ShedNote") struct Note: Equatable {
        @PrimaryKey let id: Int
        var folder: Folder
        var origin: Reference<Folder>
        var tools = [Tool(id: 9)]
    }

    @Stored("ShedFolder") struct Folder: Equatable {
        @PrimaryKey let id: Int
        var name: String
    }

    @Stored("ShedTool") struct GeneratedTool: Equatable {
        @PrimaryKey let id: Int
        var drawn = Bool.random()
        var token = UUID()
    }

    @Stored("ShedTool") struct MadeTool: Equatable {
        @PrimaryKey let id: Int
        var made = Date()
    }
}

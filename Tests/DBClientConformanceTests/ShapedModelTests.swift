#if Macros
import DBClientCore
import DBClientObjectStore
import DBClientTesting
import Testing

@Stored struct BandRecord: Equatable {
    @PrimaryKey let id: Int
    var name: String
    var label: Label?
    var tracks: [Track]
    @Relationship(onDelete: .weak) var rival: Reference<Record>?
    var manager: Teacher?
}

/// The object store's own shape: other fields in another order, and the manager is another's.
@Stored struct PackedBand: Equatable {
    @PrimaryKey let id: Int
    var tracks: [Track]
    var note: String
    @Relationship(onDelete: .weak) var rival: Reference<Record>?
    var label: Label?
    var name: String
    var manager: Deputy?
}

@Stored struct Deputy: Equatable {
    @PrimaryKey let id: Int
    var name: String?
}

/// Kept as a `BandRecord`, and in the object store as a `PackedBand`.
struct Band: StoredRepresentable, ObjectStoreModelConvertible, Equatable {
    let id: Int
    var name: String
    var label: Label?
    var tracks: [Track]

    var primaryKey: Int { id }

    init(_ id: Int, _ name: String, label: Label? = nil, tracks: [Track] = []) {
        self.id = id
        self.name = name
        self.label = label
        self.tracks = tracks
    }

    init(storage: BandRecord) {
        self.init(storage.id, storage.name, label: storage.label, tracks: storage.tracks)
    }

    func storage() -> BandRecord {
        BandRecord(id: id, name: name, label: label, tracks: tracks, rival: nil, manager: nil)
    }

    init(objectStoreModel band: PackedBand) throws {
        if band.note == "unreadable" { throw Refusal() }
        self.init(band.id, band.name, label: band.label, tracks: band.tracks)
    }

    func objectStoreModel(existing: PackedBand?) throws -> PackedBand {
        if name == "unwritable" { throw Refusal() }
        return PackedBand(
            id: id,
            tracks: tracks,
            note: existing?.note ?? name,
            rival: nil,
            label: label,
            name: name,
            manager: nil
        )
    }

    struct Refusal: Error {}
}

@Stored struct DialRecord: Equatable {
    @PrimaryKey let id: Int
    var level: Int
}

/// The object store's own shape, with a narrower field.
@Stored struct PackedDial: Equatable {
    var level: Int8
    @PrimaryKey let id: Int
}

/// Kept as a `DialRecord`, and in the object store as a `PackedDial`.
struct Dial: StoredRepresentable, ObjectStoreModelConvertible, Equatable {
    let id: Int
    var level: Int

    var primaryKey: Int { id }

    init(_ id: Int, level: Int) {
        self.id = id
        self.level = level
    }

    init(storage: DialRecord) { self.init(storage.id, level: storage.level) }

    func storage() -> DialRecord { DialRecord(id: id, level: level) }

    init(objectStoreModel dial: PackedDial) { self.init(dial.id, level: Int(dial.level)) }

    func objectStoreModel(existing: PackedDial?) -> PackedDial {
        PackedDial(level: Int8(clamping: level), id: id)
    }
}

/// A model that an engine keeps in a shape of its own takes every call that any model takes.
struct ShapedModelTests {
    private static let land = Country(code: "c", name: "land")
    private static let label = Label(id: 1, name: "l", country: land)
    private static func tracks(_ count: Int) -> [Track] {
        (0..<count).map { Track(album: 1, number: $0, title: "t\($0)") }
    }

    private static func clients() throws -> [any DBClient] {
        [InMemoryDBClient(), try ObjectStoreDBClient(.inMemory)]
    }

    private static let bands = [
        Band(1, "a", label: label, tracks: tracks(2)), Band(2, "b"),
        Band(3, "a", tracks: tracks(1)),
    ]

    @Test func aPartialUpdateSetsRelationships() throws {
        for client in try Self.clients() {
            try client.blocking.insert(Self.bands)
            let other = Label(id: 2, name: "new", country: Self.land)
            try client.blocking.update(Band.self, key: 2) {
                $0.set(\.label, to: other)
                $0.set(\.tracks, to: Self.tracks(3))
            }
            let two = Band(2, "b", label: other, tracks: Self.tracks(3))
            #expect(try client.blocking.find(Band.self, key: 2) == two)
            #expect(try client.blocking.count(Label.all) == 2)
            let changed = try client.blocking.update(Band.where { $0.name == "a" }) {
                $0.set(\.label, to: nil)
                $0.set(\.name, to: "c")
                $0.set(\.rival, to: Reference(9))
            }
            #expect(changed == 2)
            try client.blocking.update(Band.self, keys: [1, 3]) { assignments, _ in
                assignments.set(\.tracks, to: [])
            }
            #expect(try client.blocking.findAll(Band.self) == [Band(1, "c"), two, Band(3, "c")])
            #expect(try client.blocking.count(Band.where { $0.rival == Reference(9) }) == 2)
        }
    }

    @Test func aRelationshipToAnotherModelIsRefused() throws {
        let client = try ObjectStoreDBClient(.inMemory)
        try client.blocking.insert(Self.bands)
        func refused(_ body: () throws -> Void) {
            let error = #expect(throws: DBClientError.self) { try body() }
            #expect(error?.code == .invalidRequest)
            #expect(error?.field == "manager")
        }
        refused { _ = try client.blocking.fetch(Band.where { $0.manager.name == "x" }) }
        refused { _ = try client.blocking.count(Band.where { !($0.manager.name != nil) }) }
        refused { _ = try client.blocking.fetch(Band.all.sorted { $0.manager.name }) }
        refused {
            try client.blocking.update(Band.self, key: 1) {
                $0.set(\.manager, to: Teacher(id: 1, name: nil))
            }
        }
        #expect(try client.blocking.count(Band.where { $0.label.name == "l" }) == 1)
        #expect(try client.blocking.count(Band.where { $0.label.country.name == "land" }) == 1)
        #expect(
            try client.blocking.count(Band.where { $0.tracks.contains { $0.title == "t1" } }) == 1
        )
        #expect(try client.blocking.count(Band.where { $0.tracks.count > 0 }) == 2)
        let sorted = try client.blocking.fetch(
            Band.all.sorted { [$0.label.name, $0.id.descending] }
        )
        #expect(sorted.map(\.id) == [3, 2, 1])
    }

    @Test func fieldsAreSelectedGroupedAndAggregated() throws {
        for client in try Self.clients() {
            try client.blocking.insert(Self.bands)
            let rows = try client.blocking.fetch(Band.all.select(\.name, \.id))
            #expect(rows.map(\.0) == ["a", "b", "a"])
            #expect(rows.map(\.1) == [1, 2, 3])
            #expect(
                try client.blocking.fetch(Band.where { $0.id > 1 }.select(\.name)) == ["b", "a"]
            )
            let groups = try client.blocking.fetch(
                Band.all.grouped(by: \.name).select(.count, .max(\.id))
            )
            #expect(groups.map(\.key) == ["a", "b"])
            let greatest = try client.blocking.aggregate(.maximum, of: Band.all) { $0.label.name }
            #expect(greatest == .text("l"))
            #expect(try client.blocking.aggregate(.sum, of: Band.all) { $0.id } == .integer(6))
        }
    }

    @Test func fieldsAreComputedWith() throws {
        for client in try Self.clients() {
            try client.blocking.insert(Self.bands)
            let sorted = Band.all.sorted { [($0.name + "").descending, $0.id * -1] }
            #expect(try client.blocking.fetch(sorted).map(\.id) == [2, 3, 1])
            #expect(try client.blocking.fetch(sorted.after(Self.bands[1])).map(\.id) == [3, 1])
            let rows = try client.blocking.fetch(Band.all.select { ($0.id * 10, $0.name.count) })
            #expect(rows.map(\.0) == [10, 20, 30])
            let names = try client.blocking.fetch(Band.all.select { $0.label.name.uppercased() })
            #expect(names == ["L", nil, nil])
            let groups = try client.blocking.fetch(
                Band.all.grouped { $0.name.uppercased() }.select(.count)
            )
            #expect(groups.map(\.key) == ["A", "B"])
            let sum: Int = try client.blocking.sum(of: Band.all) { $0.id * $0.id }
            #expect(sum == 14)
            try client.blocking.update(Band.where { $0.id * 2 > 3 }) {
                $0.set(\.name) { $0.name + "!" }
            }
            #expect(try client.blocking.findAll(Band.self).map(\.name) == ["a", "b!", "a!"])
        }
    }

    @Test func whatIsComputedMustFitIntoTheShape() throws {
        let client = try ObjectStoreDBClient(.inMemory)
        try client.blocking.insert([Dial(1, level: 1), Dial(2, level: 2)])
        let error = #expect(throws: DBClientError.self) {
            try client.blocking.update(Dial.all) { $0.set(\.level) { $0.level * 100 } }
        }
        #expect(error?.code == .invalidValue)
        let first = Dial.where { $0.level == 1 }
        #expect(try client.blocking.update(first) { $0.set(\.level) { $0.level * 100 } } == 1)
        #expect(try client.blocking.findAll(Dial.self).map(\.level) == [100, 2])
    }

    @Test func whatAConversionThrowsUndoesTheCall() throws {
        let client = try ObjectStoreDBClient(.inMemory)
        for write in [
            { _ = try client.blocking.insert([Band(1, "x"), Band(2, "unreadable")]) },
            { _ = try client.blocking.upsert([Band(1, "x"), Band(2, "unwritable")]) },
        ] {
            let error = #expect(throws: DBClientError.self) { try write() }
            #expect(error?.entity == "PackedBand")
            #expect(error?.key == "2")
            #expect(error?.underlying is Band.Refusal)
            #expect(try client.blocking.count(Band.all) == 0)
        }
    }
}
#endif

import DBClientCore
import DBClientObjectStore
import Foundation
import Testing

/// Several models of one entity: an index that one of them lacks, and keys that one gives and another has made.
@Suite struct SharedEntityTests {
    private let folder: TemporaryFolder
    private let client: ObjectStoreDBClient

    init() throws {
        folder = try TemporaryFolder()
        client = try ObjectStoreDBClient(at: folder.store)
    }

    // MARK: An index that cannot be filled

    enum FirstCall: CaseIterable, Sendable {
        case insert
        case find
        case inSavepoint
    }

    @Test(arguments: FirstCall.allCases)
    func anIndexThatCannotBeFilledLeavesNothing(call: FirstCall) throws {
        try client.blocking.insert([Plain(1, "a"), Plain(2, "b"), Plain(3, "a")])
        let first = try client.blocking.write { transaction in
            let first = error {
                switch call {
                case .insert: try transaction.insert(Unique(4, "c"))
                case .find: _ = try transaction.findAll(Unique.self)
                case .inSavepoint: try transaction.write { _ = try $0.insert(Unique(4, "c")) }
                }
            }
            try transaction.insert(Note(1, "beside"))
            let second = error { try transaction.insert(Unique(5, "d")) }
            #expect(second?.code == .uniqueViolation)
            try transaction.insert(Plain(6, "b"))
            return first
        }
        #expect(first?.code == .uniqueViolation)
        #expect(first?.field == "name")
        try expectRows([1: "a", 2: "b", 3: "a", 6: "b"])
        #expect(try client.blocking.findAll(Note.self).map(\.id) == [1])

        try client.blocking.delete(Plain.self, keys: [3, 6])
        try client.blocking.insert(Unique(4, "c"))
        #expect(error { try client.blocking.insert(Plain(7, "b")) }?.code == .uniqueViolation)
        try expectRows([1: "a", 2: "b", 4: "c"])
    }

    private func expectRows(_ rows: [Int: String]) throws {
        try ObjectStoreDBClient.verify(at: folder.store)
        #expect(try client.blocking.findAll(Plain.self).map(\.id) == rows.keys.sorted())
        for name in Set(rows.values) {
            let ids = rows.filter { $0.value == name }.map(\.key).sorted()
            #expect(try client.blocking.fetch(Plain.where { $0.name == name }).map(\.id) == ids)
            #expect(try client.blocking.fetch(Unique.where { $0.name == name }).map(\.id) == ids)
            #expect(try client.blocking.count(Unique.where { $0.name == name }) == ids.count)
        }
    }

    // MARK: Generated keys

    @Test func modelsOfOneEntityShareItsCounter() throws {
        let ids = try client.blocking.write { transaction in
            [
                try transaction.insert(Made(0, "a")).id,
                try transaction.insert(AlsoMade(0, "b")).id,
                try transaction.insert(Made(0, "c")).id,
                try transaction.upsert(AlsoMade(0, "d")).value.id,
                try transaction.insert([Made(0, "e"), Made(0, "f")]).map(\.id).max() ?? 0,
            ]
        }
        #expect(ids == [1, 2, 3, 4, 6])
        #expect(try client.blocking.insert(AlsoMade(0, "g")).id == 7)
        try expectNames(["a", "b", "c", "d", "e", "f", "g"])
    }

    @Test func aKeyThatBecomesGeneratedComesAfterThoseThatWereGiven() throws {
        try client.blocking.insert([Plain(-5, "z"), Plain(1, "a"), Plain(2, "b")])
        #expect(try client.blocking.upsert(Made(0, "c")).value.id == 3)
        #expect(try client.blocking.insert(Made(0, "d")).id == 4)
        try expectNames(["z", "a", "b", "c", "d"])
    }

    @Test func negativeKeysAreFollowedByOne() throws {
        try client.blocking.insert([Plain(-5, "y"), Plain(-4, "z")])
        #expect(try client.blocking.insert(Made(0, "a")).id == 1)
        try expectNames(["y", "z", "a"])
    }

    @Test func keysThatAreGivenBesideGeneratedOnesArePassedOver() throws {
        #expect(try client.blocking.insert(Made(0, "a")).id == 1)
        try client.blocking.insert([Plain(2, "b"), Plain(3, "c")])
        try ObjectStoreDBClient.verify(at: folder.store)
        #expect(try client.blocking.upsert(Made(0, "d")).value.id == 4)
        try client.blocking.write { transaction in
            #expect(try transaction.insert(Made(0, "e")).id == 5)
            try transaction.insert(Plain(6, "f"))
            #expect(try transaction.upsert(Made(0, "g")).value.id == 7)
            try transaction.upsert(Plain(8, "h"))
            #expect(try transaction.insert(Made(0, "i")).id == 9)
        }
        try expectNames(["a", "b", "c", "d", "e", "f", "g", "h", "i"])
        try client.blocking.delete(Made.self, keys: [8, 9])
        #expect(try client.blocking.insert(Made(0, "j")).id == 10)
    }

    @Test func theLargestGivenKeyIsFollowedByNone() throws {
        try client.blocking.insert(Plain(.max, "a"))
        #expect(error { _ = try client.blocking.insert(Made(0, "b")) }?.code == .full)
        #expect(error { _ = try client.blocking.upsert(Made(0, "b")) }?.code == .full)
        try expectNames(["a"])
    }

    private func expectNames(_ names: [String]) throws {
        #expect(try client.blocking.findAll(Plain.self).map(\.name) == names)
        try ObjectStoreDBClient.verify(at: folder.store)
    }
}

/// Has no index and gives its keys.
@Stored("Thing") private struct Plain: Equatable {
    let id: Int
    var name: String

    init(_ id: Int, _ name: String) {
        self.id = id
        self.name = name
    }
}

/// Has a unique index.
@Stored("Thing") private struct Unique: Equatable {
    let id: Int
    @Unique var name: String

    init(_ id: Int, _ name: String) {
        self.id = id
        self.name = name
    }
}

/// Has its keys made.
@Stored("Thing") private struct Made: Equatable {
    @PrimaryKey(.generated) let id: Int
    var name: String

    init(_ id: Int, _ name: String) {
        self.id = id
        self.name = name
    }
}

/// Has its keys made, too.
@Stored("Thing") private struct AlsoMade: Equatable {
    @PrimaryKey(.generated) let id: Int
    var name: String

    init(_ id: Int, _ name: String) {
        self.id = id
        self.name = name
    }
}

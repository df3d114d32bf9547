import DBClientCore
import DBClientObjectStore
import Foundation
import Testing

/// Stores with more entities and indexes than a thousand.
@Suite struct ManyTablesTests {
    @Test func thousandsOfIndexesHaveRoom() throws {
        let folder = try TemporaryFolder()
        for round in 0..<2 {
            let client = try ObjectStoreDBClient(at: folder.store)
            for id in 0..<3 {
                try client.blocking.upsert(Wide<First>(id + round))
                try client.blocking.upsert(Wide<Second>(id + round))
            }
            let ids = try client.blocking.fetch(Wide<Second>.where { $0.b >= 1 }).map(\.id)
            #expect(ids == Array(1..<3 + round))
            #expect(try client.blocking.count(Wide<First>.all) == 3 + round)
            try client.close()
        }
        try ObjectStoreDBClient.verify(at: folder.store)
    }

    private enum First: Naming { static let name = "First" }
    private enum Second: Naming { static let name = "Second" }
}

private protocol Naming: Sendable {
    static var name: String { get }
}

/// A model with an index of each three of its ten fields, in every order.
private struct Wide<Name: Naming>: Stored {
    let id: Int
    let b: Int

    static var schema: Schema<Wide<Name>> { Schemas.of(Name.name, Self.make) }

    private static func make() -> Schema<Wide<Name>> {
        let paths: [KeyPath<Wide<Name>, Int>] = [
            \.id, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j,
        ]
        var indexes: [StoredIndex<Wide<Name>>] = []
        for (first, left) in paths.enumerated() {
            for (second, middle) in paths.enumerated() where second != first {
                for (third, right) in paths.enumerated() where third != first && third != second {
                    indexes.append(StoredIndex(left, middle, right))
                }
            }
        }
        return Schema(
            name: Name.name,
            fields: [
                .field(\.id, "id", primaryKey: .given), .field(\.b, "b"), .field(\.c, "c"),
                .field(\.d, "d"), .field(\.e, "e"), .field(\.f, "f"), .field(\.g, "g"),
                .field(\.h, "h"), .field(\.i, "i"), .field(\.j, "j"),
            ],
            indexes: indexes
        )
    }

    var c: Int { id }
    var d: Int { id }
    var e: Int { id }
    var f: Int { id }
    var g: Int { id }
    var h: Int { id }
    var i: Int { id }
    var j: Int { id }
    var primaryKey: Int { id }

    init(_ id: Int) {
        self.id = id
        b = id
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        b = try row.read()
        for _ in 0..<8 { _ = try row.read() as Int }
    }

    func write(to row: inout RowWriter) throws {
        for _ in 0..<10 { try row.write(id) }
    }
}

/// Static properties of generic types cannot be stored.
private enum Schemas {
    private nonisolated(unsafe) static var made: [String: Any] = [:]
    private static let lock = NSLock()

    static func of<Model: Stored>(_ name: String, _ make: () -> Schema<Model>) -> Schema<Model> {
        lock.withLock {
            if let schema = made[name] as? Schema<Model> { return schema }
            let schema = make()
            made[name] = schema
            return schema
        }
    }
}

import DBClientCore
import DBClientInMemory
import DBClientSQL
import DBClientTesting
import Testing

/// What of trees is not a matter of results.
@Suite(.serialized)
struct TreeTests {
    private static let relational = Backends.chosen.filter {
        $0.name.hasPrefix("SQLite") || $0.name == "PostgreSQL"
    }

    @Test("A tree is found by one statement", arguments: relational)
    func oneStatement(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await client.insert(shelves)
        let trees = [
            Ledge.descendants(of: 1, through: \.above),
            Ledge.descendants(of: 1, through: \.aboveID).order(.depthFirst).withPaths(),
            Ledge.ancestors(of: 4, through: \.above).refusingCircles(),
            Ledge.descendants(of: 1, through: \.below).pruned { $0.name == "z" },
        ]
        for tree in trees {
            let prepared = try await client.write { transaction in
                // The tables are looked at before, and how the values' own links are loaded is known.
                #expect(try transaction.fetch(Ledge.where { $0.id > 1 }).count == 3)
                #expect(try transaction.exists(tree))
                let sql = try #require(try transaction.storeReader as? SQLTransaction)
                let before = sql.preparedCount
                #expect(try transaction.fetch(tree).count == 3)
                #expect(try transaction.count(tree) == 3)
                return sql.preparedCount - before
            }
            #expect(prepared == 2)
        }
        let plan = try await client.explain(trees[3])
        #expect(plan.contains("WITH RECURSIVE"))
    }

    @Test("Statements of trees that differ are not taken for one another", arguments: relational)
    func shapes(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await client.insert(shelves)
        let tree = Ledge.descendants(of: 1, through: \.above)
        let above = Ledge.ancestors(of: 4, through: \.above)
        let found = try await client.read { transaction in
            try [
                tree, tree.includingStart(), tree.depth(atMost: 1),
                tree.depth(atMost: 1).includingStart(), tree.pruned { $0.name == "c" },
                tree.pruned { $0.name != "c" }, above, above.includingStart(),
                Ledge.descendants(of: 1, through: \.below),
                Ledge.ancestors(of: 4, through: \.below),
                Ledge.descendants(of: [1, 3], through: \.above), tree.filter { $0.name == "d" },
            ]
            .map { try transaction.fetch($0).map(\.model.id) }
        }
        let expected = [
            [2, 3, 4], [1, 2, 3, 4], [2], [1, 2], [2], [], [3, 2, 1], [4, 3, 2, 1], [2, 3, 4],
            [3, 2, 1], [2, 4], [4],
        ]
        #expect(found == expected)
    }

    @Test("Interceptors see a walk by its shape, and without its values")
    func shape() async throws {
        let spy = SpyDBClient(InMemoryDBClient())
        try await spy.insert(shelves)
        let tree = Ledge.descendants(of: 1, through: \.aboveID).pruned { $0.name == "secret" }
            .filter { $0.id > 2 }.depth(atMost: 7)
        _ = try await spy.fetch(tree)
        _ = try await spy.count(Ledge.ancestors(of: 3, through: \.below))
        _ = try await spy.fetch(tree.order(.depthFirst))
        _ = try? await spy.fetch(tree.limit(-1))
        #expect(
            spy.calls.map(\.shape).dropFirst() == [
                "fetch Ledge walked by Ledge.aboveID from id in ?(1) through not (name = ?)"
                    + " to depth ? where id > ? by depth",
                "count Ledge walked by Ledge_below.target, Ledge.id from id in ?(1) by depth",
                "fetch Ledge walked by Ledge.aboveID from id in ?(1) through not (name = ?)"
                    + " to depth ? where id > ? by depth",
                "fetch Ledge",
            ]
        )
    }

    private let shelves = [
        Ledge(1, "a", below: [2]), Ledge(2, "b", above: 1, below: [3]),
        Ledge(3, "c", above: 2, below: [4]), Ledge(4, "d", above: 3),
    ]
}

/// A shelf above others.
@Stored struct Ledge: Equatable {
    let id: Int
    var name: String
    @Relationship(onDelete: .weak) var above: Reference<Ledge>?
    @Indexed var aboveID: Int?
    @Relationship(onDelete: .weak) var below: References<Ledge>

    init(_ id: Int, _ name: String, above: Int? = nil, below: [Int] = []) {
        self.id = id
        self.name = name
        self.above = above.map { Reference($0) }
        aboveID = above
        self.below = References(below)
    }
}

import DBClientCore

/// Requests for descendants and ancestors, in trees and in graphs with circles.
enum TreeCases {
    static let all: [ConformanceCase] = walks + choices + graphs + calls + refusals

    /// ```
    /// 1 ─ 2 ─ 4 ─ 7
    ///   │   └ 5
    ///   └ 3 ─ 6
    /// 8 ─ 9
    /// ```
    static let branches = [
        Bough(1, "root", children: [2, 3]),
        Bough(2, "b", rank: 2, parent: 1, children: [5, 4]),
        Bough(3, "a", rank: 1, parent: 1, children: [6]),
        Bough(4, "z", parent: 2, children: [7]), Bough(5, "y", rank: 9, parent: 2),
        Bough(6, "x", rank: 3, parent: 3), Bough(7, "w", parent: 4),
        Bough(8, "other", children: [9]), Bough(9, "v", parent: 8),
    ]

    private static let walks: [ConformanceCase] = [
        promise(.trees, "descendants come by depth, then by key, each way") { client in
            try await client.insert(branches)
            for tree in [
                Bough.descendants(of: 1, through: \.parent),
                Bough.descendants(of: 1, through: \.parentID),
                Bough.descendants(of: 1, through: \.looseID),
                Bough.descendants(of: 1, through: \.children),
            ] {
                let found = try await client.fetch(tree)
                try expectEqual(found.map(\.model.id), [2, 3, 4, 5, 6, 7])
                try expectEqual(found.map(\.depth), [1, 1, 2, 2, 2, 3])
                try expectEqual(found.map(\.model), Array(branches[1...6]))
                try expect(found.allSatisfy { $0.path == nil }, "there are paths")
            }
            try expectEqual(
                try await client.fetch(Bough.descendants(of: 9, through: \.parent)).count,
                0
            )
        },
        promise(.trees, "ancestors come by depth, each way") { client in
            try await client.insert(branches)
            for tree in [
                Bough.ancestors(of: 7, through: \.parent),
                Bough.ancestors(of: 7, through: \.parentID),
                Bough.ancestors(of: 7, through: \.looseID),
                Bough.ancestors(of: 7, through: \.children),
            ] {
                let found = try await client.fetch(tree)
                try expectEqual(found.map(\.model.id), [4, 2, 1])
                try expectEqual(found.map(\.depth), [1, 2, 3])
            }
            try expectEqual(
                try await client.fetch(Bough.ancestors(of: 1, through: \.parent)).count,
                0
            )
        },
        promise(.trees, "depth-first order has each value before its descendants") { client in
            try await client.insert(branches)
            for tree in [
                Bough.descendants(of: 1, through: \.parent),
                Bough.descendants(of: 1, through: \.children),
            ] {
                let outline = tree.order(.depthFirst).includingStart()
                let found = try await client.fetch(outline)
                try expectEqual(found.map(\.model.id), [1, 2, 4, 7, 5, 3, 6])
                try expectEqual(found.map(\.depth), [0, 1, 2, 3, 2, 1, 2])
                let named = try await client.fetch(outline.sorted { $0.name })
                try expectEqual(named.map(\.model.id), [1, 3, 6, 2, 5, 4, 7])
                let ranked = try await client.fetch(outline.sorted { [$0.rank.descending] })
                try expectEqual(ranked.map(\.model.id), [1, 2, 5, 4, 7, 3, 6])
                let page = try await client.fetch(outline.limit(3).offset(1))
                try expectEqual(page.map(\.model.id), [2, 4, 7])
                try expectEqual(try await client.fetch(outline.limit(0)).count, 0)
            }
        },
        promise(.trees, "a sort is of the values of one depth") { client in
            try await client.insert(branches)
            let tree = Bough.descendants(of: 1, through: \.parent)
            let named = try await client.fetch(tree.sorted { $0.name })
            try expectEqual(named.map(\.model.id), [3, 2, 6, 5, 4, 7])
            let ranked = try await client.fetch(tree.sorted { $0.rank })
            try expectEqual(ranked.map(\.model.id), [3, 2, 4, 6, 5, 7])
            let last = try await client.fetch(
                tree.sorted { [$0.rank.nilsLast, $0.name.descending] }
            )
            try expectEqual(last.map(\.model.id), [3, 2, 6, 5, 4, 7])
            let above = try await client.fetch(tree.sorted { $0.parent.rank.descending })
            try expectEqual(above.map(\.model.id), [2, 3, 4, 5, 6, 7])
            let natural = try await client.fetch(tree.sorted { $0.name.natural })
            try expectEqual(natural.map(\.model.id), [3, 2, 6, 5, 4, 7])
        },
        promise(.trees, "paths are the keys from the start") { client in
            try await client.insert(branches)
            for tree in [
                Bough.descendants(of: 1, through: \.looseID).withPaths(),
                Bough.descendants(of: 1, through: \.children).withPaths(),
            ] {
                let found = try await client.fetch(tree.includingStart())
                try expectEqual(
                    found.map { $0.path ?? [] },
                    [[1], [1, 2], [1, 3], [1, 2, 4], [1, 2, 5], [1, 3, 6], [1, 2, 4, 7]]
                )
                let leaf = try await client.fetch(tree.filter { $0.id == 7 })
                try expectEqual(leaf.map { $0.path ?? [] }, [[1, 2, 4, 7]])
            }
            let above = try await client.fetch(
                Bough.ancestors(of: 7, through: \.parent).withPaths()
            )
            try expectEqual(above.map { $0.path ?? [] }, [[7, 4], [7, 4, 2], [7, 4, 2, 1]])
        },
    ]

    private static let choices: [ConformanceCase] = [
        promise(.trees, "the start, the depth and the number are chosen") { client in
            try await client.insert(branches)
            let tree = Bough.descendants(of: 1, through: \.parent)
            func ids(_ tree: TreeRequest<Bough>) async throws -> [Int] {
                let found = try await client.fetch(tree).map(\.model.id)
                try expectEqual(try await client.count(tree), found.count)
                try expectEqual(try await client.exists(tree), !found.isEmpty)
                return found
            }
            try expectEqual(try await ids(tree.includingStart()), [1, 2, 3, 4, 5, 6, 7])
            try expectEqual(try await ids(tree.depth(atMost: 2)), [2, 3, 4, 5, 6])
            try expectEqual(try await ids(tree.depth(atMost: 2).depth(atMost: 1)), [2, 3])
            try expectEqual(try await ids(tree.depth(atMost: 1).depth(atMost: 2)), [2, 3])
            try expectEqual(try await ids(tree.depth(atMost: 0)), [])
            try expectEqual(try await ids(tree.depth(atMost: 0).includingStart()), [1])
            try expectEqual(try await ids(tree.limit(2).offset(1)), [3, 4])
            try expectEqual(try await ids(tree.offset(5)), [7])
            try expectEqual(try await ids(tree.limit(0)), [])
            try expectEqual(try await ids(tree.order(.depthFirst).limit(2)), [2, 4])
        },
        promise(.trees, "a condition keeps values, and the walk goes on through others") { client in
            try await client.insert(branches)
            for order in [TreeOrder.breadthFirst, .depthFirst] {
                let tree = Bough.descendants(of: 1, through: \.parent).order(order)
                let some = tree.filter { $0.rank == nil }
                try expectEqual(try await client.fetch(some).map(\.model.id), [4, 7])
                try expectEqual(try await client.count(some), 2)
                let both = some.where { $0.name != "z" }
                try expectEqual(try await client.fetch(both).map(\.model.id), [7])
                let below = tree.filter { $0.parent.name == "b" || $0.children.count > 0 }
                try expectEqual(
                    try await client.fetch(below).map(\.model.id).sorted(),
                    [2, 3, 4, 5]
                )
                let none = try await client.fetch(some.filter { $0.id > 7 })
                try expectEqual(none.count, 0)
            }
        },
        promise(.trees, "a condition prunes values with what is behind them") { client in
            try await client.insert(branches)
            for tree in [
                Bough.descendants(of: 1, through: \.parent),
                Bough.descendants(of: 1, through: \.looseID),
                Bough.descendants(of: 1, through: \.children),
            ] {
                let found = try await client.fetch(
                    tree.pruned { $0.name == "z" }.pruned { $0.name == "a" }
                )
                try expectEqual(found.map(\.model.id), [2, 5])
                // The start is not asked.
                let all = try await client.fetch(tree.includingStart().pruned { $0.id == 1 })
                try expectEqual(all.count, 7)
                let related = tree.pruned { $0.children.contains { $0.name == "w" } }
                try expectEqual(
                    try await client.fetch(related).map(\.model.id),
                    [2, 3, 5, 6]
                )
                try expectEqual(
                    try await client.fetch(related.depth(atMost: 1)).map(\.model.id),
                    [2, 3]
                )
                try expectEqual(try await client.count(tree.pruned { $0.rank == nil }), 4)
            }
            let above = Bough.ancestors(of: 7, through: \.parent).pruned { $0.id == 2 }
            try expectEqual(try await client.fetch(above).map(\.model.id), [4])
        },
        promise(.trees, "a walk starts from several values") { client in
            try await client.insert(branches)
            for order in [TreeOrder.breadthFirst, .depthFirst] {
                let tree = Bough.descendants(of: [8, 2, 1, 99, 2], through: \.parent)
                    .order(order).withPaths()
                let found = try await client.fetch(tree.includingStart())
                try expectEqual(
                    found.map(\.model.id),
                    order == .breadthFirst
                        ? [1, 2, 8, 3, 4, 5, 9, 6, 7] : [1, 3, 6, 2, 4, 7, 5, 8, 9]
                )
                let way = found.first { $0.model.id == 7 }
                try expectEqual(way?.path, [2, 4, 7])
                try expectEqual(way?.depth, 2)
                try expectEqual(try await client.count(tree), 6)
            }
            let above = try await client.fetch(
                Bough.ancestors(of: [7, 5, 6], through: \.parent)
            )
            try expectEqual(above.map(\.model.id), [2, 3, 4, 1])
            try expectEqual(above.map(\.depth), [1, 1, 1, 2])
            for keys in [[], [99]] {
                let none = Bough.descendants(of: keys, through: \.parent).includingStart()
                try expectEqual(try await client.fetch(none).count, 0)
                try expectEqual(try await client.count(none), 0)
                try expectEqual(try await client.fetch(none.order(.depthFirst)).count, 0)
            }
        },
        promise(.trees, "nothing is found before anything is stored") { client in
            for tree in [
                Bough.descendants(of: 1, through: \.parent),
                Bough.ancestors(of: 1, through: \.children),
            ] {
                try expectEqual(try await client.fetch(tree).count, 0)
                try expectEqual(try await client.fetch(tree.withPaths()).count, 0)
                try expectEqual(try await client.count(tree), 0)
                try expect(try await !client.exists(tree), "there is a value")
            }
        },
    ]
}

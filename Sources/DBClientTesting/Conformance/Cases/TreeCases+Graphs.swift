import DBClientCore

extension TreeCases {
    static let graphs: [ConformanceCase] = [
        promise(.trees, "a value that several ways lead to is there once, at its least depth") {
            client in
            // 1 leads to 5 by 2 and by 3 and 4; 3 and 2 lead to 6.
            try await client.insert([
                Bough(1, children: [3, 2]), Bough(2, children: [5, 6, 5]),
                Bough(3, children: [4, 6]), Bough(4, children: [5, 7]),
                Bough(5, children: [7]), Bough(6), Bough(7, children: [99]),
            ])
            let tree = Bough.descendants(of: 1, through: \.children).withPaths()
            let found = try await client.fetch(tree)
            try expectEqual(found.map(\.model.id), [2, 3, 4, 5, 6, 7])
            try expectEqual(found.map(\.depth), [1, 1, 2, 2, 2, 3])
            try expectEqual(
                found.map { $0.path ?? [] },
                [[1, 2], [1, 3], [1, 3, 4], [1, 2, 5], [1, 2, 6], [1, 3, 4, 7]]
            )
            let deep = try await client.fetch(tree.order(.depthFirst))
            try expectEqual(deep.map(\.model.id), [2, 5, 6, 3, 4, 7])
            let other = try await client.fetch(
                tree.order(.depthFirst).sorted { $0.id.descending }
            )
            try expectEqual(other.map(\.model.id), [3, 6, 4, 2, 5, 7])
            try expectEqual(try await client.count(tree), 6)
            let above = Bough.ancestors(of: 5, through: \.children)
            try expectEqual(try await client.fetch(above).map(\.model.id), [2, 4, 1, 3])
            try expectEqual(
                try await client.fetch(tree.refusingCircles()).count,
                6,
                "there is no circle:"
            )
        },
        promise(.trees, "a walk ends where values lead in a circle") { client in
            // 1 → 2 → 3 → 1, 3 → 4 → 4, and 5 leads into the circle.
            try await client.insert([
                Bough(1, parent: 3, children: [2]), Bough(2, parent: 1, children: [3]),
                Bough(3, parent: 2, children: [1, 4]), Bough(4, children: [4]),
                Bough(5, parent: 1, children: [2]), Bough(6, parent: 6),
            ])
            let trees: [(TreeRequest<Bough>, [Int], [Int])] = [
                (Bough.descendants(of: 1, through: \.parent), [2, 5, 3], [1, 1, 2]),
                (Bough.descendants(of: 1, through: \.parentID), [2, 5, 3], [1, 1, 2]),
                (Bough.descendants(of: 1, through: \.looseID), [2, 5, 3], [1, 1, 2]),
                (Bough.descendants(of: 1, through: \.children), [2, 3, 4], [1, 2, 3]),
                (Bough.descendants(of: 5, through: \.children), [2, 3, 1, 4], [1, 2, 3, 3]),
                (Bough.ancestors(of: 1, through: \.parent), [3, 2], [1, 2]),
                (Bough.ancestors(of: 5, through: \.looseID), [1, 3, 2], [1, 2, 3]),
                (Bough.ancestors(of: 4, through: \.children), [3, 2, 1, 5], [1, 2, 3, 3]),
            ]
            for (tree, ids, depths) in trees {
                let found = try await client.fetch(tree)
                try expectEqual(found.map(\.model.id), ids)
                try expectEqual(found.map(\.depth), depths)
                try expectEqual(try await client.count(tree), ids.count)
                let deep = try await client.fetch(tree.order(.depthFirst).withPaths())
                try expectEqual(deep.map(\.model.id).sorted(), ids.sorted())
                let error = try await expectError(.constraintViolation) {
                    _ = try await client.fetch(tree.refusingCircles())
                }
                try expect(["1", "2", "3", "4"].contains(error.key), "\(error.key ?? "no key")")
                try expect(!error.description.contains(error.key ?? "?"), "a key is shown")
            }
            let own = Bough.descendants(of: 6, through: \.parent)
            try expectEqual(try await client.fetch(own).count, 0)
            let error = try await expectError(.constraintViolation) {
                _ = try await client.fetch(own.refusingCircles())
            }
            try expectEqual(error.key, "6")
            try expectEqual(error.field, "parent")
            // What is not walked is not asked.
            let cut = Bough.descendants(of: 1, through: \.children).pruned { $0.id == 3 }
            try expectEqual(try await client.fetch(cut.refusingCircles()).map(\.model.id), [2])
        },
        promise(.trees, "keys of several fields lead from one to another, in the order of bytes") {
            client in
            let root = Leaf("B", 1)
            let names = ["É", "b", "a", "Z", "", "b"]
            var leaves = [root]
            for (number, name) in names.enumerated() {
                leaves.append(Leaf(name, number, before: root))
            }
            let last = Leaf("b", 9, before: leaves[2])
            leaves.append(last)
            let noted = Leaf("note", 1, notes: [root, leaves[1]])
            try await client.insert(leaves + [noted])
            let tree = Leaf.descendants(of: root.primaryKey, through: \.before)
            let found = try await client.fetch(tree.withPaths())
            try expectEqual(
                found.map(\.model.title),
                ["4", "Z3", "a2", "b1", "b5", "É0", "b9"]
            )
            try expectEqual(
                found.last?.path,
                [root.primaryKey, leaves[2].primaryKey, last.primaryKey]
            )
            let several = Leaf.ancestors(
                of: [last.primaryKey, leaves[1].primaryKey],
                through: \.before
            )
            try expectEqual(try await client.fetch(several).map(\.model.title), ["B1", "b1"])
            let notes = Leaf.descendants(of: noted.primaryKey, through: \.notes)
            try expectEqual(try await client.fetch(notes).map(\.model.title), ["B1", "É0"])
            try expectEqual(
                try await client.fetch(Leaf.ancestors(of: root.primaryKey, through: \.notes))
                    .map(\.model.title),
                ["note1"]
            )
        },
        promise(.trees, "values that hold others of their kind are loaded whole") { client in
            let inner = Chest(3, depth: 30)
            let middle = Chest(2, depth: 20, [inner])
            let outer = Chest(1, depth: 10, [middle, Chest(4, depth: 5)])
            try await client.insert(outer)
            for order in [TreeOrder.breadthFirst, .depthFirst] {
                let tree = Chest.descendants(of: 1, through: \.inner).order(order)
                let found = try await client.fetch(tree.filter { $0.depth > 5 })
                try expectEqual(found.map(\.model), [middle, inner])
                try expectEqual(found.map(\.depth), [1, 2])
                let sorted = try await client.fetch(tree.sorted { $0.depth })
                try expectEqual(
                    sorted.map(\.model.id),
                    order == .breadthFirst ? [4, 2, 3] : [4, 2, 3]
                )
            }
            let above = try await client.fetch(Chest.ancestors(of: 3, through: \.inner))
            try expectEqual(above.map(\.model), [middle, outer])
        },
        promise(.trees, "a chain may be long") { client in
            let length = 3_000
            try await client.insert(
                (1...length).map { Bough($0, parent: $0 == 1 ? nil : $0 - 1) }
            )
            let tree = Bough.descendants(of: 1, through: \.parentID)
            for tree in [tree, tree.order(.depthFirst), tree.withPaths().refusingCircles()] {
                let found = try await client.fetch(tree)
                try expectEqual(found.map(\.model.id), Array(2...length))
                try expectEqual(found.last?.depth, length - 1)
            }
            let above = Bough.ancestors(of: length, through: \.parent)
            try expectEqual(try await client.count(above), length - 1)
            try expectEqual(
                try await client.fetch(above.withPaths()).last?.path,
                (1...length).reversed()
            )
        },
    ]

    static let calls: [ConformanceCase] = [
        promise(.trees, "every way to call takes a tree") { client in
            try await client.insert(branches)
            let tree = Bough.descendants(of: 1, through: \.parent)
            let above = Bough.ancestors(of: 7, through: \.children).order(.depthFirst)
            let ids = [2, 3, 4, 5, 6, 7]
            try expectEqual(try client.blocking.fetch(tree).map(\.model.id), ids)
            try expectEqual(try client.blocking.fetch(above).map(\.model.id), [4, 2, 1])
            try expectEqual(try client.blocking.count(tree), 6)
            try expect(try client.blocking.exists(tree), "there is none")
            try expectEqual(try await client.run(.fetch(tree)).map(\.model.id), ids)
            try expectEqual(try await client.run(.count(tree)), 6)
            try expect(try await !client.explain(tree).isEmpty, "nothing is explained")
            try expect(try client.blocking.explain(above).count > 10, "nothing is explained")
            let inside = try await client.write { transaction in
                try transaction.insert(Bough(10, "new", parent: 7))
                try transaction.update(Bough.self, key: 5) { $0.set(\.parent, to: nil) }
                return try transaction.fetch(tree).map(\.model.id)
            }
            try expectEqual(inside, [2, 3, 4, 6, 7, 10])
            let read = try await client.read { transaction in
                try [transaction.fetch(tree).count, transaction.fetch(above).count]
            }
            try expectEqual(read, [6, 3])
        },
        promise(.trees, "values of a type of its own are made of what is found") { client in
            try await client.insert(branches)
            let tree = Twig.descendants(of: 2, through: \.parent).filter { $0.rank == nil }
            let found = try await client.fetch(tree.includingStart())
            try expectEqual(found.map(\.model.title), ["twig z", "twig w"])
            try expectEqual(found.map(\.depth), [1, 2])
        },
        promise(.trees, "an observer is told of what changes a tree", requires: [.observation]) {
            client in
            try await client.insert(branches)
            let tree = Bough.descendants(of: 1, through: \.parent).depth(atMost: 2)
            var nodes = client.observe(tree).makeAsyncIterator()
            try expectEqual(try await nodes.next()?.map(\.model.id), [2, 3, 4, 5, 6])
            let count = client.observe(tree) { try $0.count(tree) }
            var counts = count.makeAsyncIterator()
            try expectEqual(try await counts.next(), 5)
            try await client.update(Bough.self, key: 8) {
                $0.set(\.parent, to: Reference<Bough>(2))
            }
            try expectEqual(try await nodes.next()?.map(\.model.id), [2, 3, 4, 5, 6, 8])
            try expectEqual(try await counts.next(), 6)
            try await client.delete(Bough.self, key: 2)
            try expectEqual(try await nodes.next()?.map(\.model.id), [3, 6])
            let linked = Bough.descendants(of: 3, through: \.children)
            var links = client.observe(linked).makeAsyncIterator()
            try expectEqual(try await links.next()?.map(\.model.id), [6])
            try await client.update(Bough.self, key: 6) {
                $0.set(\.children, to: References([7]))
            }
            try expectEqual(try await links.next()?.map(\.model.id), [6, 7])
        },
    ]

    static let refusals: [ConformanceCase] = [
        promise(.trees, "what cannot be walked is refused") { client in
            try await client.insert(branches)
            let tree = Bough.descendants(of: 1, through: \.parent)
            for wrong in [
                tree.limit(-1), tree.offset(-1), tree.depth(atMost: -1),
                tree.depth(atMost: -1).depth(atMost: 3),
            ] {
                try await expectError(.invalidRequest) { _ = try await client.fetch(wrong) }
                try await expectError(.invalidRequest) { _ = try await client.count(wrong) }
                try expectErrorInside(.invalidRequest) { _ = try client.blocking.explain(wrong) }
            }
            try await expectError(.unsupported) {
                _ = try await client.fetch(tree.pruned { 600 / $0.id > 9 })
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Bough.ancestors(of: 1, through: \.computedParent))
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    tree.filter { $0.id / ($0.id - $0.id) > 1 }
                )
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    tree.filter { $0.id / ($0.id - $0.id) > 1 }.order(.depthFirst)
                )
            }
            let error = try await expectError(.invalidRequest) {
                _ = try await client.fetch(SlotOwner.descendants(of: 1, through: \.owner))
            }
            try expectEqual(error.entity, "SlotOwner")
        }
    ]
}

extension Bough {
    /// A computed property, which no request can go through.
    fileprivate var computedParent: Int? { parentID }
}

/// Refers to another model by a key of the same type.
@Stored struct SlotOwner: Equatable {
    let id: Int
    var owner: Reference<Bough>?
}

import DBClientCore

/// Conditions on the values of another model that lead to one.
enum InverseConditionCases {
    static let all: [ConformanceCase] = [
        promise(.conditions, "what leads to a value by a key or a reference is asked") { client in
            try await client.insert((1...4).map { SoldItem($0, "item \($0)", price: $0) })
            try await client.insert([
                ItemSale(1, ware: 1, quantity: 5), ItemSale(2, ware: 1, quantity: 7),
                ItemSale(3, ware: 2, quantity: 1), ItemSale(4, ware: nil), ItemSale(5, ware: 9),
            ])
            func ids(
                _ condition: @Sendable (Fields<SoldItem>) -> Condition<SoldItem>
            ) async throws -> [Int] {
                let found = try await client.fetch(SoldItem.where(condition)).map(\.id)
                try expectEqual(try await client.count(SoldItem.where(condition)), found.count)
                return found
            }
            try expectEqual(try await ids { $0.inverse(of: \ItemSale.ware).isEmpty }, [3, 4])
            try expectEqual(try await ids { $0.inverse(of: \ItemSale.ware).count == 2 }, [1])
            try expectEqual(try await ids { $0.inverse(of: \ItemSale.ware).count < 2 }, [2, 3, 4])
            try expectEqual(
                try await ids { $0.inverse(of: \ItemSale.ware).contains { $0.quantity < 6 } },
                [1, 2]
            )
            try expectEqual(
                try await ids { $0.inverse(of: \ItemSale.ware).allSatisfy { $0.quantity < 6 } },
                [2, 3, 4]
            )
            try expectEqual(
                try await ids { $0.inverse(of: \ItemSale.ware).count { $0.quantity > 5 } == 1 },
                [1]
            )
            try expectEqual(
                try await ids { $0.inverse(of: \ItemSale.ware).sum(\.quantity) > 1 },
                [1]
            )
            try expectEqual(
                try await ids { $0.inverse(of: \ItemSale.ware).sum(\.quantity) < 2 },
                [2, 3, 4]
            )
            try expectEqual(
                try await ids { $0.inverse(of: \ItemSale.ware).max(\.quantity) == 7 },
                [1]
            )
            try expectEqual(
                try await ids {
                    $0.inverse(of: \ItemSale.ware).min(\.quantity, where: { $0.quantity > 5 }) > 6
                },
                [1]
            )
            try expectEqual(
                try await ids { $0.inverse(of: \ItemSale.ware).average(\.quantity) == 6 },
                [1]
            )
            try expectEqual(
                try await ids { $0.inverse(of: \SoldItem.whole).isEmpty && $0.price > 2 },
                [3, 4]
            )
        },
        promise(.conditions, "what holds a value, or has it in a list, is asked") { client in
            let studios = [Studio(1, "a"), Studio(2, "b"), Studio(3, "c")]
            try await client.insert(studios)
            try await client.insert([
                Artist(1, "x", studio: studios[0]),
                Artist(2, "y", studio: studios[0], friends: [1]),
                Artist(3, "z", studio: studios[1], friends: [1, 2]),
            ])
            let busy = Studio.where { $0.inverse(of: \Artist.studio).count > 1 }
            try expectEqual(try await client.fetch(busy).map(\.id), [1])
            let named = Studio.where { $0.inverse(of: \Artist.studio).contains { $0.name == "z" } }
            try expectEqual(try await client.fetch(named).map(\.id), [2])
            let liked = Artist.where { $0.inverse(of: \Artist.friends).count == 2 }
            try expectEqual(try await client.fetch(liked).map(\.id), [1])
            let likedBy = Artist.where {
                $0.inverse(of: \Artist.friends).contains { $0.studio.name == "b" }
            }
            try expectEqual(try await client.fetch(likedBy).map(\.id), [1, 2])
            let alone = Artist.where { $0.inverse(of: \Artist.friends).isEmpty }
            try expectEqual(try await client.fetch(alone).map(\.id), [3])
            let sum = Artist.where { $0.inverse(of: \Artist.friends).sum(\.id) == 5 }
            try expectEqual(try await client.fetch(sum).map(\.id), [1])
            let error = try await expectError(.invalidRequest) {
                _ = try await client.fetch(Artist.where { $0.inverse(of: \Member.boss).isEmpty })
            }
            try expectEqual(error.entity, "Member")
        },
    ]
}

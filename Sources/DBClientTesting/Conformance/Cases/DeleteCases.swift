import DBClientCore
import Foundation

/// Deleting; what is missing is no error, and every call returns what there was.
enum DeleteCases {
    static let all: [ConformanceCase] = [
        promise(.delete, "a key given twice counts once") { client in
            try await client.insert([Hero(1), Hero(2)])
            try expectEqual(try await client.delete(Hero.self, keys: [1, 1, 1]), 1)
            try expectEqual(try await client.delete(Hero.self, keys: []), 0)
        },
        promise(.delete, "a deleted key can be inserted again") { client in
            try await client.insert(Hero(1, "a"))
            try await client.write { transaction in
                try transaction.delete(Hero.self, key: 1)
                try transaction.insert(Hero(1, "b"))
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.name), ["b"])
        },
        promise(.delete, "a matching delete obeys sort, limit and offset") { client in
            try await client.insert((1...6).map { Hero($0, power: Double($0 * $0 % 7)) })
            // Powers 1 4 2 2 4 1: descending with ties by key 2 5 3 4 1 6.
            let request = Hero.all.sorted { $0.power.descending }.offset(1).limit(3)
            try expectEqual(try await client.delete(request), 3)
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 2, 6])
            try expectEqual(try await client.delete(Hero.all.limit(0)), 0)
            try expectEqual(try await client.delete(Hero.all.offset(2)), 1)
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 2])
        },
        promise(.delete, "deleted values leave every index") { client in
            try await client.insert((1...3).map { Hero($0, "x", publisherId: 1, power: 2) })
            try await client.delete(Hero.self, key: 2)
            for request in [
                Hero.where { $0.name == "x" }, Hero.where { $0.publisherId == 1 },
                Hero.where { $0.power == 2 }, Hero.where { $0.power > 1 },
                Hero.where { $0.publisherId == 1 && $0.name == "x" },
            ] {
                try expectEqual(try await client.fetch(request).map(\.id), [1, 3])
            }
        },
        promise(.delete, "deleting by an equal key ignores the other fields") { client in
            try await client.insert(Hero(1, "stored"))
            try expectEqual(try await client.delete(Hero(1, "given")), true)
        },
        promise(.delete, "what one delete removes another cannot") { client in
            try await client.insert((1...4).map { Hero($0) })
            try await client.write { transaction in
                try expectEqual(try transaction.delete(Hero.where { $0.id <= 2 }), 2)
                try expectEqual(try transaction.delete(Hero.self, keys: [1, 2, 3]), 1)
                try expectEqual(try transaction.deleteAll(Hero.self), 1)
            }
        },
    ]
}

import DBClientCore
import Foundation

/// Each call once, in each style of calling: directly, blocking, and in a transaction.
enum CRUDCases {
    static let all = writing + reading + computing

    private static let writing = [
        promises(.crud, "insert of one returns it and stores it") { calls in
            let stored = try await calls.insert(Hero(1, "Ajax"))
            try expectEqual(stored, Hero(1, "Ajax"))
            try expectEqual(try await calls.find(Hero.self, key: 1), stored)
        },
        promises(.crud, "insert of many returns them in the order given") { calls in
            let given = [Hero(3), Hero(1), Hero(2)]
            try expectEqual(try await calls.insert(given), given)
            try expectEqual(try await calls.findAll(Hero.self).map(\.id), [1, 2, 3])
        },
        promises(.crud, "insert of an existing key is refused") { calls in
            try await calls.insert(Hero(1, "old"))
            try await expectError(.duplicateKey) { try await calls.insert(Hero(1, "new")) }
            try expectEqual(try await calls.find(Hero.self, key: 1)?.name, "old")
        },
        promises(.crud, "update of one and of many replaces what is stored") { calls in
            try await calls.insert([Hero(1), Hero(2), Hero(3)])
            try await calls.update(Hero(1, "a"))
            try await calls.update([Hero(3, "c"), Hero(2, "b")])
            try expectEqual(try await calls.findAll(Hero.self).map(\.name), ["a", "b", "c"])
        },
        promises(.crud, "update of a missing key is refused") { calls in
            try await expectError(.notFound) { try await calls.update(Hero(1)) }
            try expectEqual(try await calls.count(Hero.all), 0)
        },
        promises(.crud, "updateExisting returns those that were stored") { calls in
            try await calls.insert([Hero(1), Hero(3)])
            let updated = try await calls.updateExisting([Hero(3, "c"), Hero(2, "b"), Hero(1, "a")])
            try expectEqual(updated.map(\.name), ["c", "a"])
            try expectEqual(try await calls.findAll(Hero.self).map(\.name), ["a", "c"])
        },
        promises(.crud, "upsert of one tells whether it updated") { calls in
            let first = try await calls.upsert(Hero(1, "a"))
            try expectEqual(first.isUpdated, false)
            let second = try await calls.upsert(Hero(1, "b"))
            try expectEqual(second.isUpdated, true)
            try expectEqual(second.value, Hero(1, "b"))
            try expectEqual(try await calls.findAll(Hero.self), [Hero(1, "b")])
        },
        promises(.crud, "upsert of many tells inserted from updated") { calls in
            try await calls.insert([Hero(2), Hero(4)])
            let outcome = try await calls.upsert([4, 1, 2, 3].map { Hero($0, "new") })
            try expectEqual(outcome.inserted.map(\.id), [1, 3])
            try expectEqual(outcome.updated.map(\.id), [4, 2])
            try expectEqual(try await calls.count(Hero.where { $0.name == "new" }), 4)
        },
        promises(.crud, "partial update by key writes the named fields alone") { calls in
            try await calls.insert([Hero(1, "a", realName: "b", power: 3), Hero(2)])
            try await calls.update(Hero.self, key: 1) { $0.set(\.realName, to: "c") }
            try expectEqual(
                try await calls.findAll(Hero.self),
                [Hero(1, "a", realName: "c", power: 3), Hero(2)]
            )
            try await expectError(.notFound) {
                try await calls.update(Hero.self, key: 3) { $0.set(\.realName, to: "c") }
            }
        },
        promises(.crud, "update of what matches tells how many there were") { calls in
            try await calls.insert((1...5).map { Hero($0, power: Double($0)) })
            let count = try await calls.update(Hero.where { $0.power > 3 }) {
                $0.set(\.bio, to: "strong")
                $0.set(\.isActive, to: false)
            }
            try expectEqual(count, 2)
            try expectEqual(try await calls.count(Hero.where { $0.bio == "strong" }), 2)
            try expectEqual(try await calls.count(Hero.where { $0.isActive == false }), 2)
        },
        promises(.crud, "delete of one tells whether it was there") { calls in
            try await calls.insert([Hero(1), Hero(2), Hero(3)])
            try expectEqual(try await calls.delete(Hero(1)), true)
            try expectEqual(try await calls.delete(Hero(1)), false)
            try expectEqual(try await calls.delete(Hero.self, key: 2), true)
            try expectEqual(try await calls.delete(Hero.self, key: 2), false)
            try expectEqual(try await calls.findAll(Hero.self), [Hero(3)])
        },
        promises(.crud, "delete of many tells how many were there") { calls in
            try await calls.insert((1...6).map { Hero($0) })
            try expectEqual(try await calls.delete([Hero(1), Hero(2), Hero(9)]), 2)
            try expectEqual(try await calls.delete(Hero.self, keys: [3, 9, 2]), 1)
            try expectEqual(try await calls.findAll(Hero.self).map(\.id), [4, 5, 6])
        },
        promises(.crud, "delete of what matches, and of all, tells how many there were") { calls in
            try await calls.insert((1...5).map { Hero($0, power: Double($0)) })
            try await calls.insert(KeyOnly(1))
            try expectEqual(try await calls.delete(Hero.where { $0.power >= 4 }), 2)
            try expectEqual(try await calls.deleteAll(Hero.self), 3)
            try expectEqual(try await calls.deleteAll(Hero.self), 0)
            try expectEqual(try await calls.count(KeyOnly.all), 1)
        },
    ].flatMap(\.self)

    private static let reading = [
        promises(.crud, "find by key returns the value or nil") { calls in
            try await calls.insert([Hero(1), Hero(2)])
            try expectEqual(try await calls.find(Hero.self, key: 2), Hero(2))
            try expectEqual(try await calls.find(Hero.self, key: 3), nil)
        },
        promises(.crud, "find by keys returns those stored in the order of the keys") { calls in
            try await calls.insert((1...5).map { Hero($0) })
            let found = try await calls.find(Hero.self, keys: [5, 9, 1, 3, 1])
            try expectEqual(found.map(\.id), [5, 1, 3, 1])
            try expectEqual(try await calls.find(Hero.self, keys: []), [])
        },
        promises(.crud, "fetch returns what matches, sorted and limited") { calls in
            try await calls.insert((1...9).map { Hero($0, power: Double($0 % 3)) })
            let request = Hero.where { $0.power > 0 }.sorted { $0.power.descending }
            try expectEqual(try await calls.fetch(request).map(\.id), [2, 5, 8, 1, 4, 7])
            try expectEqual(try await calls.fetch(request.limit(2).offset(1)).map(\.id), [5, 8])
        },
        promises(.crud, "fetchOne returns the first or nil") { calls in
            try await calls.insert((1...3).map { Hero($0) })
            let last = try await calls.fetchOne(Hero.all.sorted { $0.id.descending })
            try expectEqual(last?.id, 3)
            try expectEqual(try await calls.fetchOne(Hero.where { $0.id > 3 }), nil)
            try expectEqual(try await calls.fetchOne(Hero.all.limit(0)), nil)
            try expectEqual(try await calls.fetchOne(Hero.all.offset(1))?.id, 2)
        },
        promises(.crud, "count and exists answer for requests and keys") { calls in
            try await calls.insert((1...3).map { Hero($0) })
            try expectEqual(try await calls.count(Hero.where { $0.id > 1 }), 2)
            try expectEqual(try await calls.exists(Hero.where { $0.id > 1 }), true)
            try expectEqual(try await calls.exists(Hero.where { $0.id > 3 }), false)
            try expectEqual(try await calls.exists(Hero.self, key: 3), true)
            try expectEqual(try await calls.exists(Hero.self, key: 4), false)
        },
        promises(.crud, "a query of one's own goes wherever a request goes") { calls in
            try await calls.insert([Hero(1, "Ajax"), Hero(2, "Bolt"), Hero(3, "Ajax")])
            try expectEqual(try await calls.fetch(HeroQuery.named("Ajax")).map(\.id), [3, 1])
            try expectEqual(try await calls.count(HeroQuery.named("Ajax")), 2)
            let updated = try await calls.update(HeroQuery.named("Bolt")) {
                $0.set(\.power, to: 7)
            }
            try expectEqual(updated, 1)
            try expectEqual(try await calls.delete(HeroQuery.named("Ajax")), 2)
            try expectEqual(try await calls.findAll(Hero.self).map(\.power), [7])
        },
    ].flatMap(\.self)

    private static let computing = [
        promises(.crud, "minimum, maximum, sum and average", requires: [.aggregates]) { calls in
            try await calls.insert((1...4).map { Hero($0, publisherId: $0 == 4 ? nil : $0 * 10) })
            try expectEqual(try await calls.min(\.id, of: Hero.all), 1)
            try expectEqual(try await calls.max(\.id, of: Hero.all), 4)
            try expectEqual(try await calls.sum(\.id, of: Hero.all), 10)
            try expectEqual(try await calls.average(\.id, of: Hero.all), 2.5)
            try expectEqual(try await calls.min(\.publisherId, of: Hero.all), 10)
            try expectEqual(try await calls.max(\.publisherId, of: Hero.all), 30)
            try expectEqual(try await calls.sum(\.publisherId, of: Hero.all), 60)
            try expectEqual(try await calls.average(\.publisherId, of: Hero.all), 20)
        },
        promises(.crud, "distinct values ascend, nil first", requires: [.aggregates]) { calls in
            try await calls.insert([
                Hero(1, publisherId: 7), Hero(2), Hero(3, publisherId: 5), Hero(4, publisherId: 7),
                Hero(5),
            ])
            try expectEqual(try await calls.distinct(\.publisherId, of: Hero.all), [nil, 5, 7])
        },
    ].flatMap(\.self)
}

/// A query of the suite's own.
private enum HeroQuery: FetchRequestConvertible {
    case named(String)

    var request: FetchRequest<Hero> {
        switch self {
        case .named(let name): Hero.where { $0.name == name }.sorted { $0.id.descending }
        }
    }
}

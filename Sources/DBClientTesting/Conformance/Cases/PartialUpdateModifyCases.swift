import DBClientCore
import Foundation

/// Partial updates that make a field's new value of the one that is stored.
enum PartialUpdateModifyCases {
    static let all: [ConformanceCase] = [
        promise(.partialUpdate, "a field is set to what is made of its value") { client in
            let heroes = (1...5).map { Hero($0, "n\($0)", power: Double($0)) }
            try await client.insert(heroes)
            try await client.update(Hero.self, key: 2) { $0.modify(\.power) { $0 += 0.5 } }
            try await client.update(Hero.self, keys: [3, 4]) { assignments, key in
                assignments.modify(\.name) { $0 += "-\(key)" }
                if key == 4 { assignments.set(\.bio, to: "set") }
            }
            var expected = heroes
            expected[1].power = 2.5
            expected[2].name = "n3-3"
            expected[3].name = "n4-4"
            expected[3].bio = "set"
            try expectEqual(try await client.findAll(Hero.self), expected)
            try await expectError(.notFound) {
                try await client.update(Hero.self, key: 6) { $0.modify(\.power) { $0 = 0 } }
            }
            try await expectError(.notFound) {
                try await client.update(Hero.self, keys: [1, 6]) { assignments, _ in
                    assignments.modify(\.power) { $0 = 0 }
                }
            }
            try expectEqual(try await client.findAll(Hero.self), expected)
        },
        promise(.partialUpdate, "fields of many types are modified") { client in
            var expected = EveryType.full(1)
            try await client.insert([expected, EveryType(2)])
            try await client.update(EveryType.self, key: 1) {
                $0.modify(\.tags) { $0.append("last") }
                $0.modify(\.numbers) { $0.formUnion([-1, 700]) }
                $0.modify(\.optionalTags) { $0 = ($0 ?? []) + ["more"] }
                $0.modify(\.place.city) { $0 += ", north" }
                $0.modify(\.decimal) { $0 *= 10 }
                $0.modify(\.flag) { $0.toggle() }
            }
            expected.tags.append("last")
            expected.numbers.formUnion([-1, 700])
            expected.optionalTags = (expected.optionalTags ?? []) + ["more"]
            expected.place.city += ", north"
            expected.decimal *= 10
            expected.flag.toggle()
            try expectEqual(try await client.find(EveryType.self, key: 1), expected)
            try expectEqual(try await client.find(EveryType.self, key: 2), EveryType(2))
        },
        promise(.partialUpdate, "what a request finds is modified, each from its own value") {
            client in
            try await client.insert((1...60).map { Hero($0, power: Double($0)) })
            let request = Hero.where { $0.power > 20 }.sorted { $0.power.descending }.limit(30)
            let count = try await client.update(request) {
                $0.modify(\.power) { $0 -= 100 }
                $0.modify(\.publisherId) { $0 = ($0 ?? 0) + 1 }
                $0.set(\.bio, to: "found")
            }
            try expectEqual(count, 30)
            let expected = (1...60).map { key in
                key > 30
                    ? Hero(key, publisherId: 1, power: Double(key - 100), bio: "found")
                    : Hero(key, power: Double(key))
            }
            try expectEqual(try await client.findAll(Hero.self), expected)
            let blocking = try client.blocking.update(Hero.where { $0.bio == "found" }) {
                $0.modify(\.publisherId) { $0 = $0 == 1 ? nil : 2 }
            }
            try expectEqual(blocking, 30)
            try expectEqual(try await client.count(Hero.where { $0.publisherId == nil }), 60)
            let nobody = try await client.update(Hero.where { $0.id > 60 }) {
                $0.modify(\.power) { $0 = 0 }
            }
            try expectEqual(nobody, 0)
        },
        promise(.partialUpdate, "set and modify of a field count in their order") { client in
            try await client.insert(Hero(1, "a", power: 1))
            try await client.update(Hero.self, key: 1) {
                $0.set(\.name, to: "b")
                $0.modify(\.name) { $0 += "c" }
                $0.modify(\.power) { $0 += 1 }
                $0.modify(\.power) { $0 *= 10 }
                $0.modify(\.bio) { $0 = "lost" }
                $0.set(\.bio, to: "kept")
            }
            try expectEqual(
                try await client.find(Hero.self, key: 1),
                Hero(1, "bc", power: 20, bio: "kept")
            )
        },
        promise(.partialUpdate, "what cannot be modified is refused, and nothing is written") {
            client in
            let heroes = [Hero(1, power: 1), Hero(2, power: 2)]
            try await client.insert(heroes)
            let key = try await expectError(.invalidRequest) {
                try await client.update(Hero.self, key: 1) { $0.modify(\.id) { $0 += 7 } }
            }
            try expectEqual(key.field, "id")
            try await expectError(.invalidRequest) {
                try await client.update(Hero.all) { $0.modify(\.shout) { $0 = "x" } }
            }
            let value = try await expectError(.invalidValue) {
                try await client.update(Hero.all) { $0.modify(\.power) { $0 = $0 == 2 ? .nan : 9 } }
            }
            try expectEqual(value.entity, "Hero")
            try expectEqual(value.field, "power")
            do {
                try await client.update(Hero.all) {
                    $0.modify(\.power) { power in
                        if power == 2 { throw SuiteError.deliberate }
                        power = 9
                    }
                }
                throw ConformanceFailure("nothing was thrown")
            } catch let error as SuiteError {
                try expectEqual(error, .deliberate)
            }
            do {
                try await client.update(Hero.self, key: 1) {
                    $0.set(\.power, to: 9)
                    $0.modify(\.power) { _ in throw SuiteError.deliberate }
                }
                throw ConformanceFailure("nothing was thrown")
            } catch let error as SuiteError {
                try expectEqual(error, .deliberate)
            }
            try expectEqual(try await client.findAll(Hero.self), heroes)
        },
        promise(.partialUpdate, "a modified field keeps its indexes", requires: [.uniqueIndexes]) {
            client in
            let accounts = [Account(1, email: "a@x"), Account(2, email: "aa@x"), Account(3)]
            try await client.insert(accounts)
            try await expectError(.uniqueViolation) {
                try await client.update(Account.self, key: 1) {
                    $0.modify(\.email) { $0 = $0.map { "a" + $0 } }
                }
            }
            try expectEqual(try await client.findAll(Account.self), accounts)
            // In the order of the request, in which each makes room for the next.
            try await client.update(Account.all.sorted { $0.id.descending }) {
                $0.modify(\.email) { $0 = $0.map { "a" + $0 } }
            }
            let found = try await client.fetch(Account.where { $0.email == "aa@x" })
            try expectEqual(found.map(\.id), [1])
            try expectEqual(try await client.count(Account.where { $0.email == "a@x" }), 0)
        },
        promise(.partialUpdate, "concurrent modifications are all counted") { client in
            try await client.insert(Hero(1, power: 0))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await client.update(Hero.self, key: 1) {
                            $0.modify(\.power) { $0 += 1 }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expectEqual(try await client.find(Hero.self, key: 1)?.power, 20)
        },
        promise(.partialUpdate, "a field is modified beside a value of another model") { client in
            try await client.insert(Artist(1, "a"))
            try await client.update(Artist.self, key: 1) {
                $0.modify(\.name) { $0 += "b" }
                $0.set(\.skills, to: [Skill("s")])
            }
            let artist = try await client.find(Artist.self, key: 1)
            try expectEqual(artist?.name, "ab")
            try expectEqual(artist?.skills.map(\.code), ["s"])
        },
        promise(.partialUpdate, "a model that converts has fields of what is stored modified") {
            client in
            try await client.insert([TextKeyed("x", "n"), TextKeyed("y", "")])
            let count = try await client.update(Label.where { $0.note == "n" }) {
                $0.modify(\.note) { $0 += "!" }
            }
            try expectEqual(count, 1)
            try expectEqual(try await client.find(Label.self, key: "x")?.note, "n!")
        },
        promise(.partialUpdate, "a function that modifies may use the transaction") { client in
            try await client.insert((1...3).map { Hero($0, power: Double($0)) })
            try await client.write { transaction in
                try transaction.update(Hero.all) {
                    $0.modify(\.power) { power in
                        power += Double(try transaction.count(Hero.all))
                        try transaction.update(Hero.self, key: 1) { $0.set(\.bio, to: "\(power)") }
                    }
                }
            }
            try expectEqual(
                try await client.findAll(Hero.self),
                [Hero(1, power: 4, bio: "6.0"), Hero(2, power: 5), Hero(3, power: 6)]
            )
        },
        promise(.partialUpdate, "a function that modifies is let go with its call") { client in
            try await client.insert(Hero(1))
            weak var step: Step?
            do {
                let own = Step(size: 2)
                step = own
                try await client.update(Hero.all) { $0.modify(\.power) { $0 += own.size } }
            }
            // A thread of the engine may still be about to release the body that it ran.
            let end = ContinuousClock.now + .seconds(60)
            while step != nil, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(1))
            }
            try expect(step == nil, "what the function holds is kept")
            try expectEqual(try await client.find(Hero.self, key: 1)?.power, 2)
        },
    ]

    private final class Step: Sendable {
        let size: Double

        init(size: Double) {
            self.size = size
        }
    }
}

import DBClientCore
import Foundation

/// Writing some fields and no others.
enum PartialUpdateCases {
    static let all: [ConformanceCase] = [
        promise(.partialUpdate, "fields of every type can be set alone") { client in
            try await client.insert(EveryType(1))
            var expected = EveryType(1)
            let full = EveryType.full(1)
            try await client.update(EveryType.self, key: 1) {
                $0.set(\.flag, to: full.flag)
                $0.set(\.int8, to: full.int8)
                $0.set(\.uint64, to: full.uint64)
                $0.set(\.float, to: full.float)
                $0.set(\.text, to: full.text)
                $0.set(\.data, to: full.data)
                $0.set(\.date, to: full.date)
                $0.set(\.uuid, to: full.uuid)
            }
            (expected.flag, expected.int8, expected.uint64) = (full.flag, full.int8, full.uint64)
            (expected.float, expected.text, expected.data) = (full.float, full.text, full.data)
            (expected.date, expected.uuid) = (full.date, full.uuid)
            try expectEqual(try await client.find(EveryType.self, key: 1), expected)
            try await client.update(EveryType.self, key: 1) {
                $0.set(\.url, to: full.url)
                $0.set(\.decimal, to: full.decimal)
                $0.set(\.mood, to: full.mood)
                $0.set(\.level, to: full.level)
                $0.set(\.tags, to: full.tags)
                $0.set(\.numbers, to: full.numbers)
                $0.set(\.scores, to: full.scores)
                $0.set(\.origin, to: full.origin)
                $0.set(\.place, to: full.place)
            }
            (expected.url, expected.decimal) = (full.url, full.decimal)
            (expected.mood, expected.level) = (full.mood, full.level)
            (expected.tags, expected.numbers, expected.scores) = (
                full.tags, full.numbers, full.scores
            )
            (expected.origin, expected.place) = (full.origin, full.place)
            try expectEqual(try await client.find(EveryType.self, key: 1), expected)
        },
        promise(.partialUpdate, "optional fields can be set and set to nil") { client in
            try await client.insert(EveryType(1))
            let full = EveryType.full(1)
            try await client.update(EveryType.self, key: 1) {
                $0.set(\.optionalText, to: full.optionalText)
                $0.set(\.optionalMood, to: full.optionalMood)
                $0.set(\.optionalLevel, to: full.optionalLevel)
                $0.set(\.optionalTags, to: full.optionalTags)
                $0.set(\.optionalOrigin, to: full.optionalOrigin)
                $0.set(\.optionalPlace, to: full.optionalPlace)
            }
            let set = try await client.find(EveryType.self, key: 1)
            try expectEqual(set?.optionalText, full.text)
            try expectEqual(set?.optionalMood, full.mood)
            try expectEqual(set?.optionalLevel, full.level)
            try expectEqual(set?.optionalTags, full.tags)
            try expectEqual(set?.optionalOrigin, full.origin)
            try expectEqual(set?.optionalPlace, full.place)
            try await client.update(EveryType.self, key: 1) {
                $0.set(\.optionalText, to: nil)
                $0.set(\.optionalMood, to: nil)
                $0.set(\.optionalLevel, to: nil)
                $0.set(\.optionalTags, to: nil)
                $0.set(\.optionalOrigin, to: nil)
                $0.set(\.optionalPlace, to: nil)
            }
            try expectEqual(try await client.find(EveryType.self, key: 1), EveryType(1))
        },
        promise(.partialUpdate, "a field set twice has the last value") { client in
            try await client.insert(Hero(1))
            try await client.update(Hero.self, key: 1) {
                $0.set(\.bio, to: "first")
                $0.set(\.power, to: 1)
                $0.set(\.bio, to: nil)
            }
            try expectEqual(try await client.find(Hero.self, key: 1), Hero(1, power: 1))
        },
        promise(.partialUpdate, "no field at all still needs the value to be there") { client in
            try await client.insert(Hero(1))
            try await client.update(Hero.self, key: 1) { _ in }
            try await expectError(.notFound) { try await client.update(Hero.self, key: 2) { _ in } }
            try expectEqual(try await client.update(Hero.where { $0.id < 5 }) { _ in }, 1)
            try expectEqual(try await client.findAll(Hero.self), [Hero(1)])
        },
        promise(.partialUpdate, "setting the primary key is refused") { client in
            try await client.insert([Hero(1), Hero(2)])
            let error = try await expectError(.invalidRequest) {
                try await client.update(Hero.self, key: 1) { $0.set(\.id, to: 3) }
            }
            try expectEqual(error.entity, "Hero")
            try expectEqual(error.field, "id")
            try await expectError(.invalidRequest) {
                try await client.update(Hero.all) {
                    $0.set(\.name, to: "x")
                    $0.set(\.id, to: 1)
                }
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1), Hero(2)])
        },
        promise(.partialUpdate, "setting a property that is not stored is refused") { client in
            try await client.insert(Hero(1))
            try await expectError(.invalidRequest) {
                try await client.update(Hero.self, key: 1) { $0.set(\.shout, to: "x") }
            }
        },
        promise(.partialUpdate, "an error of the closure's own comes through") { client in
            try await client.insert(Hero(1))
            do {
                try await client.update(Hero.self, key: 1) {
                    $0.set(\.name, to: "x")
                    throw SuiteError.deliberate
                }
                throw ConformanceFailure("nothing was thrown")
            } catch let error as SuiteError {
                try expectEqual(error, .deliberate)
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1)])
        },
        promise(.partialUpdate, "what the closure itself updates stays apart") { client in
            try await client.insert((1...5).map { Hero($0, "a") })
            try await client.write { transaction in
                try transaction.update(Hero.self, key: 1) {
                    $0.set(\.name, to: "b")
                    try transaction.update(Hero.self, key: 2) { $0.set(\.publisherId, to: 7) }
                }
                try transaction.update(Hero.where { $0.id == 3 }) {
                    $0.set(\.name, to: "c")
                    try transaction.update(Hero.where { $0.id == 2 }) { $0.set(\.name, to: "d") }
                }
                try transaction.update(Hero.self, keys: [4, 5]) { assignments, key in
                    assignments.set(\.name, to: "e\(key)")
                    try transaction.update(Hero.self, keys: [1]) { assignments, _ in
                        assignments.set(\.publisherId, to: key)
                    }
                }
            }
            try expectEqual(
                try await client.findAll(Hero.self),
                [
                    Hero(1, "b", publisherId: 5), Hero(2, "d", publisherId: 7), Hero(3, "c"),
                    Hero(4, "e4"), Hero(5, "e5"),
                ]
            )
        },
        promise(.partialUpdate, "a matching update obeys sort, limit and offset") { client in
            try await client.insert((1...6).map { Hero($0, power: Double($0)) })
            let request = Hero.where { $0.id != 6 }.sorted { $0.power.descending }
            let count = try await client.update(request.limit(2).offset(1)) {
                $0.set(\.bio, to: "set")
            }
            try expectEqual(count, 2)
            let set = try await client.fetch(Hero.where { $0.bio == "set" })
            try expectEqual(set.map(\.id), [3, 4])
        },
        promise(.partialUpdate, "a matching update may change what it matched by") { client in
            try await client.insert((1...50).map { Hero($0, "old", power: 1) })
            let count = try await client.update(Hero.where { $0.name == "old" && $0.power < 5 }) {
                $0.set(\.name, to: "new")
                $0.set(\.power, to: 2)
            }
            try expectEqual(count, 50)
            try expectEqual(try await client.count(Hero.where { $0.name == "old" }), 0)
            try expectEqual(
                try await client.count(Hero.where { $0.name == "new" && $0.power == 2 }),
                50
            )
        },
        promise(.partialUpdate, "a taken unique value is refused", requires: [.uniqueIndexes]) {
            client in
            let accounts = [Account(1, email: "a@x"), Account(2, email: "b@x"), Account(3)]
            try await client.insert(accounts)
            let error = try await expectError(.uniqueViolation) {
                try await client.update(Account.self, key: 2) { $0.set(\.email, to: "a@x") }
            }
            try expectEqual(error.entity, "Account")
            try await expectError(.uniqueViolation) {
                try await client.update(Account.all) { $0.set(\.email, to: "c@x") }
            }
            try expectEqual(try await client.findAll(Account.self), accounts)
            try await client.update(Account.self, key: 1) { $0.set(\.email, to: "a@x") }
            try await client.update(Account.all) { $0.set(\.email, to: nil) }
            try expectEqual(try await client.count(Account.where { $0.email == nil }), 3)
        },
        promise(.partialUpdate, "an indexed field is found by its new value alone") { client in
            try await client.insert([Hero(1, "a", publisherId: 1), Hero(2, "a", publisherId: 1)])
            try await client.update(Hero.self, key: 2) { $0.set(\.publisherId, to: nil) }
            try expectEqual(
                try await client.fetch(Hero.where { $0.publisherId == 1 }).map(\.id),
                [1]
            )
            try expectEqual(
                try await client.fetch(Hero.where { $0.publisherId == nil }).map(\.id),
                [2]
            )
        },
    ]
}

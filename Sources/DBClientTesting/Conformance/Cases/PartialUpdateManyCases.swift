import DBClientCore

/// Writing some fields of many values by their keys, of each its own.
enum PartialUpdateManyCases {
    static let all: [ConformanceCase] = [
        promise(.partialUpdate, "many values get fields of their own, the others stay") { client in
            let heroes = (1...60).map { Hero($0, realName: "before", power: Double($0)) }
            try await client.insert(heroes)
            // Out of order, as keys come.
            let keys = (11...50).map { ($0 * 7) % 40 + 11 }
            try await client.update(Hero.self, keys: keys) { assignments, key in
                assignments.set(\.realName, to: "after \(key)")
                assignments.set(\.bio, to: key.isMultiple(of: 3) ? nil : "of \(key)")
            }
            let expected = heroes.map { hero in
                guard keys.contains(hero.id) else { return hero }
                var hero = hero
                hero.realName = "after \(hero.id)"
                hero.bio = hero.id.isMultiple(of: 3) ? nil : "of \(hero.id)"
                return hero
            }
            try expectEqual(try await client.findAll(Hero.self), expected)
            try await client.update(Hero.self, keys: []) { assignments, _ in
                assignments.set(\.realName, to: "nobody")
            }
            try expectEqual(try await client.findAll(Hero.self), expected)
        },
        promise(.partialUpdate, "each of many values may get other fields, or none") { client in
            try await client.insert((1...40).map { Hero($0) })
            try await client.update(Hero.self, keys: Array(1...40)) { assignments, key in
                switch key % 3 {
                case 0: assignments.set(\.name, to: "n\(key)")
                case 1:
                    assignments.set(\.power, to: Double(key))
                    assignments.set(\.name, to: "m\(key)")
                default: break
                }
            }
            let expected = (1...40).map { key in
                switch key % 3 {
                case 0: Hero(key, "n\(key)")
                case 1: Hero(key, "m\(key)", power: Double(key))
                default: Hero(key)
                }
            }
            try expectEqual(try await client.findAll(Hero.self), expected)
            try await expectError(.notFound) {
                try await client.update(Hero.self, keys: [1, 41]) { _, _ in }
            }
        },
        promise(.partialUpdate, "many values get fields of every type, whole and in part") {
            client in
            // Enough of them for an engine that has another way for many.
            let plain = (1...40).map { EveryType($0) }
            let full = (1...40).map { EveryType.full($0) }
            try await client.insert(plain)
            try await client.update(
                (1...40).map { $0.isMultiple(of: 2) ? full[$0 - 1] : plain[$0 - 1] }
            )
            var expected = (1...40).map { $0.isMultiple(of: 2) ? full[$0 - 1] : plain[$0 - 1] }
            try expectEqual(try await client.findAll(EveryType.self), expected)
            try await client.update(EveryType.self, keys: Array(1...40)) { assignments, key in
                let other = key.isMultiple(of: 2) ? plain[key - 1] : full[key - 1]
                assignments.set(\.flag, to: other.flag)
                assignments.set(\.int8, to: other.int8)
                assignments.set(\.uint64, to: other.uint64)
                assignments.set(\.data, to: other.data)
                assignments.set(\.tags, to: other.tags)
                assignments.set(\.optionalInt16, to: other.optionalInt16)
                assignments.set(\.optionalFloat, to: other.optionalFloat)
                assignments.set(\.optionalText, to: other.optionalText)
                assignments.set(\.optionalDate, to: other.optionalDate)
                assignments.set(\.optionalUuid, to: other.optionalUuid)
                assignments.set(\.optionalDecimal, to: other.optionalDecimal)
                assignments.set(\.optionalPlace, to: other.optionalPlace)
            }
            for key in 1...40 {
                let other = key.isMultiple(of: 2) ? plain[key - 1] : full[key - 1]
                expected[key - 1].flag = other.flag
                expected[key - 1].int8 = other.int8
                expected[key - 1].uint64 = other.uint64
                expected[key - 1].data = other.data
                expected[key - 1].tags = other.tags
                expected[key - 1].optionalInt16 = other.optionalInt16
                expected[key - 1].optionalFloat = other.optionalFloat
                expected[key - 1].optionalText = other.optionalText
                expected[key - 1].optionalDate = other.optionalDate
                expected[key - 1].optionalUuid = other.optionalUuid
                expected[key - 1].optionalDecimal = other.optionalDecimal
                expected[key - 1].optionalPlace = other.optionalPlace
            }
            try expectEqual(try await client.findAll(EveryType.self), expected)
        },
        promise(.partialUpdate, "one missing value among many undoes the call") { client in
            let heroes = (1...40).map { Hero($0) }
            try await client.insert(heroes)
            for keys in [[99], [1, 99], Array(1...20) + [99] + Array(21...40)] {
                let error = try await expectError(.notFound) {
                    try await client.update(Hero.self, keys: keys) { assignments, _ in
                        assignments.set(\.bio, to: "lost")
                    }
                }
                try expectEqual(error.entity, "Hero")
                try expectEqual(error.key, "99")
            }
            try expectEqual(try await client.findAll(Hero.self), heroes)
        },
        promise(.partialUpdate, "a key that comes twice is written once more") { client in
            try await client.insert((1...30).map { Hero($0) })
            try await client.update(Hero.self, keys: Array(1...30) + [7, 7]) { assignments, key in
                assignments.set(\.bio, to: "\(key)")
            }
            try expectEqual(
                try await client.findAll(Hero.self).map(\.bio),
                (1...30).map { "\($0)" }
            )
        },
        promise(.partialUpdate, "an error of the closure's own undoes many") { client in
            let heroes = (1...40).map { Hero($0) }
            try await client.insert(heroes)
            do {
                try await client.update(Hero.self, keys: Array(1...40)) { assignments, key in
                    assignments.set(\.bio, to: "lost")
                    if key == 33 { throw SuiteError.deliberate }
                }
                throw ConformanceFailure("nothing was thrown")
            } catch let error as SuiteError {
                try expectEqual(error, .deliberate)
            }
            try await expectError(.invalidRequest) {
                try await client.update(Hero.self, keys: Array(1...40)) { assignments, key in
                    assignments.set(\.id, to: key + 1)
                }
            }
            try expectEqual(try await client.findAll(Hero.self), heroes)
        },
        promise(
            .partialUpdate,
            "unique values of many are handed on in the order of the keys",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert((1...40).map { Account($0, email: "\($0)@x") })
            // Each takes what the one before it in the order has just given up.
            try await client.update(Account.self, keys: (1...40).reversed()) { assignments, key in
                assignments.set(\.email, to: "\(key + 1)@x")
            }
            try expectEqual(
                try await client.findAll(Account.self).map(\.email),
                (1...40).map { "\($0 + 1)@x" }
            )
            let error = try await expectError(.uniqueViolation) {
                try await client.update(Account.self, keys: Array(1...40)) { assignments, key in
                    assignments.set(\.email, to: key < 30 ? "\(key + 100)@x" : "taken@x")
                }
            }
            try expectEqual(error.entity, "Account")
            try expectEqual(
                try await client.findAll(Account.self).map(\.email),
                (1...40).map { "\($0 + 1)@x" }
            )
        },
        promise(.partialUpdate, "a missing value is told before what fails for a later key") {
            client in
            try await client.insert((1...40).map { Hero($0) })
            for keys in [[99, 1], [2, 99, 3, 1], Array(2...30) + [99] + Array(31...40) + [1]] {
                try await expectError(.notFound) {
                    try await client.update(Hero.self, keys: keys) { assignments, key in
                        assignments.set(\.power, to: key == 1 ? .nan : 5)
                    }
                }
                try await expectError(.notFound) {
                    try await client.update(Hero.self, keys: keys) { assignments, key in
                        assignments.set(\.bio, to: "lost")
                        if key == 1 { throw SuiteError.deliberate }
                    }
                }
                try await expectError(.invalidValue) {
                    try await client.update(Hero.self, keys: keys.reversed()) { assignments, key in
                        assignments.set(\.power, to: key == 1 ? .nan : 5)
                    }
                }
            }
            try expectEqual(try await client.findAll(Hero.self), (1...40).map { Hero($0) })
        },
        promise(
            .partialUpdate,
            "a key that comes twice is written each time",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert((1...40).map { Account($0, email: "\($0)@x") })
            try await client.write { transaction in
                try expectErrorInside(.uniqueViolation) {
                    var emails = ["2@x", "free@x"]
                    try transaction.update(Account.self, keys: [1, 1]) { assignments, _ in
                        assignments.set(\.email, to: emails.removeFirst())
                    }
                }
                // What the first of them gives up is taken before it is written again.
                var emails = ["free@x", "1@x", "again@x"] + (4...40).map { "new \($0)" }
                let keys = [1, 2, 1] + Array(4...40)
                try transaction.update(Account.self, keys: keys) { assignments, _ in
                    assignments.set(\.email, to: emails.removeFirst())
                }
            }
            try expectEqual(
                try await client.findAll(Account.self).map(\.email),
                ["again@x", "1@x", "3@x"] + (4...40).map { "new \($0)" }
            )
        },
        promise(.partialUpdate, "many get values of another model, which are saved") { client in
            try await client.insert((1...20).map { Artist($0) })
            try await client.update(Artist.self, keys: Array(1...20)) { assignments, key in
                assignments.set(\.name, to: "a\(key)")
                if key.isMultiple(of: 5) {
                    assignments.set(\.mentor, to: Reference<Artist>(1))
                }
            }
            let artists = try await client.findAll(Artist.self)
            try expectEqual(artists.map(\.name), (1...20).map { "a\($0)" })
            try expectEqual(
                artists.filter { $0.mentor?.key == 1 }.map(\.id),
                [5, 10, 15, 20]
            )
        },
        promise(.partialUpdate, "many models that convert get fields of what is stored") { client in
            try await client.insert((1...20).map { Hero($0, bio: "kept") })
            try await client.update(Champion.self, keys: Array(1...20)) { assignments, key in
                assignments.set(\.name, to: "c\(key)")
            }
            try expectEqual(
                try await client.findAll(Hero.self),
                (1...20).map { Hero($0, "c\($0)", bio: "kept") }
            )
        },
    ]
}

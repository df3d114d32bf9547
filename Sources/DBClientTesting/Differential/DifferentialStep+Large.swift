import DBClientCore

/// A model of which the differential test can make up as many values as an engine does not take at once.
protocol LargeDifferentialModel: DifferentialModel where PrimaryKey == Int {
    /// Returns a value of a place among many, which holds something.
    static func makeLarge(_ key: Int) -> Self
    /// The same value as no store keeps it.
    var spoiled: Self { get }
    /// The same value with the unique value of a key, if the model has any.
    func taking(from key: Int) -> Self
}

extension DifferentialStep where Model: LargeDifferentialModel {
    /// Values in the order of their keys, more than an engine takes at once, which go again.
    static func large(_ random: RandomSource) -> DifferentialStep {
        let first = random.below(24) - 6
        var models = (first..<first + 1_025 + random.below(76)).map(Model.makeLarge)
        let last = models.count - 1
        let text = random.pick("as they are", "one spoiled", "a key twice", "a value taken")
        let place = random.pick(last, 0, 500, 1_024)
        switch text {
        case "one spoiled": models[place] = models[place].spoiled
        case "a key twice": models.append(models[place])
        case "a value taken":
            models[place] = models[place].taking(from: models[(place + 7) % last].primaryKey)
        default: break
        }
        if random.chance(10) { models[last] = models[last].spoiled }
        let given = models
        let keys = given.map(\.primaryKey)
        let isUpsert = random.chance(50)
        return DifferentialStep(
            text:
                "\(isUpsert ? "upsert" : "insert") of \(given.count) from \(first), \(text) at \(place)",
            write: { transaction in
                let told = try telling {
                    if isUpsert {
                        let outcome = try transaction.upsert(given)
                        return "inserted \(outcome.inserted.shown) updated \(outcome.updated.shown)"
                    }
                    return try transaction.insert(given).shown
                }
                return "\(told), \(try transaction.delete(Model.self, keys: keys)) deleted"
            },
            call: { client in
                let told = try await tellingLater {
                    if isUpsert {
                        let outcome = try await client.upsert(given)
                        return "inserted \(outcome.inserted.shown) updated \(outcome.updated.shown)"
                    }
                    return try await client.insert(given).shown
                }
                return "\(told), \(try await client.delete(Model.self, keys: keys)) deleted"
            },
            predict: { oracle in
                let told = try telling {
                    try oracle.atomically {
                        if isUpsert {
                            let outcome = try $0.upsert(given)
                            return
                                "inserted \(outcome.inserted.shown) updated \(outcome.updated.shown)"
                        }
                        return try $0.insert(given).shown
                    }
                }
                return "\(told), \(oracle.delete(keys)) deleted"
            }
        )
    }
}

extension Hero: LargeDifferentialModel {
    static func makeLarge(_ key: Int) -> Hero { Hero(key, publisherId: key % 3) }

    var spoiled: Hero {
        var copy = self
        copy.power = .nan
        return copy
    }

    func taking(from key: Int) -> Hero { self }
}

extension Account: LargeDifferentialModel {
    static func makeLarge(_ key: Int) -> Account { Account(key, email: "\(key)@large") }

    var spoiled: Account {
        var copy = self
        copy.tenant = "\0"
        return copy
    }

    func taking(from key: Int) -> Account {
        var copy = self
        copy.email = "\(key)@large"
        return copy
    }
}

extension DifferentialStep {
    /// Makes a step up of many values; nil for a model of which there are few.
    static func makeLarge(_ random: RandomSource) -> DifferentialStep? {
        func make<Large: LargeDifferentialModel>(_ type: Large.Type) -> DifferentialStep? {
            DifferentialStep<Large>.large(random) as? DifferentialStep
        }
        guard let type = Model.self as? any LargeDifferentialModel.Type else { return nil }
        return make(type)
    }
}

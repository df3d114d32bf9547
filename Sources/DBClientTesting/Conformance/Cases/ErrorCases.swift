import DBClientCore
import Foundation

/// What errors say, and bad requests.
enum ErrorCases {
    static let all: [ConformanceCase] = [
        promise(.errors, "an error's description shows no stored value") { client in
            let secret = "s3cr3t-value"
            try await client.insert([
                Account(1, email: secret), Account(2, tenant: secret, login: secret),
            ])
            try await client.insert(TextKeyed(secret, secret))
            let errors = [
                try await expectError(.uniqueViolation) {
                    try await client.insert(Account(3, email: secret))
                },
                try await expectError(.uniqueViolation) {
                    try await client.insert(Account(3, tenant: secret, login: secret))
                },
                try await expectError(.duplicateKey) {
                    try await client.insert(TextKeyed(secret))
                },
                try await expectError(.notFound) {
                    try await client.update(TextKeyed(secret + "2"))
                },
            ]
            for error in errors {
                let shown = ["\(error)", String(describing: error), error.localizedDescription]
                for text in shown + ["\(Mirror(reflecting: error).children.map(\.value))"] {
                    try expect(!text.contains(secret), "a value shows: \(text)")
                }
            }
        },
        promise(.errors, "an error names the entity and, where values are unique, their fields") {
            client in
            try await client.insert(Account(1, email: "a"))
            let unique = try await expectError(.uniqueViolation) {
                try await client.insert(Account(2, email: "a"))
            }
            try expectEqual(unique.entity, "Account")
            try expectEqual(unique.field, "email")
            try await client.insert(Account(3, tenant: "t", login: "l"))
            let pair = try await expectError(.uniqueViolation) {
                try await client.insert(Account(4, tenant: "t", login: "l"))
            }
            try expectEqual(pair.field, "tenant, login")
            let duplicate = try await expectError(.duplicateKey) {
                try await client.insert(Account(1))
            }
            try expectEqual(duplicate.entity, "Account")
        },
        promise(.errors, "a property that is not stored is refused in every part of a request") {
            client in
            try await client.insert(Hero(1))
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.where { $0.shout == "A" })
            }
            try await expectError(.invalidRequest) {
                _ = try await client.count(Hero.where { $0.id == 1 || $0.shout.hasPrefix("A") })
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.all.sorted { $0.shout })
            }
            try await expectError(.invalidRequest) {
                _ = try await client.distinct(\.shout, of: Hero.all)
            }
            try await expectError(.invalidRequest) {
                try await client.delete(Hero.where { $0.shout != "A" })
            }
            try expectEqual(try await client.count(Hero.all), 1)
        },
        promise(.errors, "a name that no field has is refused") { client in
            let error = try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.all.filter(.field("nme", .equal, "a")))
            }
            try expectEqual(error.entity, "Hero")
            try expectEqual(error.field, "nme")
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.all.sorted(by: [.field("name\" --")]))
            }
        },
        promise(.errors, "a value of another type than the field's is refused") { client in
            let error = try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.all.filter(.field("power", .equal, "9")))
            }
            try expectEqual(error.entity, "Hero")
            try expectEqual(error.field, "power")
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.all.filter(field: "name", in: [1, 2]))
            }
            try await expectError(.invalidRequest) {
                let pattern = TextPattern(.prefix, "a")
                _ = try await client.fetch(Hero.all.filter(.field("power", matches: pattern)))
            }
        },
        promise(.errors, "NaN and NUL are refused in conditions") { client in
            try await client.insert(Hero(1))
            for request in [
                Hero.where { $0.power == .nan }, Hero.where { $0.power < .nan },
                Hero.where { $0.power.isIn([1, .nan]) }, Hero.where { $0.name == "a\0" },
                Hero.where { $0.name.contains("\0") }, Hero.where { $0.bio.hasPrefix("a\0b") },
                Hero.where { $0.name.isIn(["\0"]) }, Hero.where { $0.name.isLike("\0*") },
                Hero.where { $0.id == 1 || $0.name > "\0" },
            ] {
                try await expectError(.invalidValue) { _ = try await client.fetch(request) }
                try await expectError(.invalidValue) { try await client.delete(request) }
            }
            try expectEqual(try await client.count(Hero.all), 1)
        },
        promise(.errors, "a date or a number that cannot be stored is refused in a condition") {
            client in
            let endless = Date(timeIntervalSince1970: .infinity)
            try await expectError(.invalidValue) {
                _ = try await client.fetch(Hero.where { $0.createdAt < endless })
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(EveryType.where { $0.uint64 == .max })
            }
            try await expectError(.invalidValue) {
                _ = try await client.find(TextKeyed.self, key: "a\0")
            }
        },
        promise(.errors, "a required value that a model leaves out is refused") { client in
            try await client.insert(Loose<Fitting>(1, 1))
            let error = try await expectError(.constraintViolation) {
                try await client.insert(Loose<LeavingOut>(2))
            }
            try expectEqual(error.entity, "Loose")
            try expectEqual(error.field, "other")
            try await expectError(.constraintViolation) {
                try await client.upsert([Loose<LeavingOut>(1), Loose<LeavingOut>(3)])
            }
            try await expectError(.constraintViolation) {
                try await client.update(Loose<LeavingOut>(1))
            }
            try expectEqual(try await client.findAll(Loose<Fitting>.self).map(\.other), [1])
        },
        promise(.errors, "a value of another type than the schema's is refused") { client in
            try await client.insert(Loose<Fitting>(1, 1))
            let error = try await expectError(.invalidValue) {
                try await client.insert(Loose<WritingText>(2))
            }
            try expectEqual(error.entity, "Loose")
            try expectEqual(error.field, "other")
            try await expectError(.invalidValue) { try await client.upsert(Loose<WritingText>(1)) }
            try await expectError(.invalidValue) { try await client.update(Loose<WritingText>(1)) }
            try expectEqual(try await client.findAll(Loose<Fitting>.self).map(\.other), [1])
        },
    ]
}

/// A model that fits its schema.
enum Fitting: LooseShape {}

/// A model that writes nil into a required field.
enum LeavingOut: LooseShape {
    static func write(_ id: Int, _ other: Int, to row: inout RowWriter) throws {
        try row.write(id)
        try row.putNull()
    }
}

/// A model that writes text into a field of integers.
enum WritingText: LooseShape {
    static func write(_ id: Int, _ other: Int, to row: inout RowWriter) throws {
        try row.write(id)
        try row.put(text: "12")
    }
}

import DBClientCore

/// Integer keys that the store makes, beside keys that are given and in writes that are refused.
enum MadeKeyCases {
    static let all: [ConformanceCase] = [
        promise(
            .keys,
            "a made key is none that another value of the call has",
            requires: [.generatedKeys]
        ) { client in
            let last = try await client.insert([Ticket(title: "a"), Ticket(title: "b")])[1].id
            let stored = try await client.insert([
                Ticket(title: "c"), Ticket(id: last + 1, title: "d"), Ticket(title: "e"),
            ])
            try expectEqual(Set(stored.map(\.id)).count, 3)
            let next = (stored.map(\.id).max() ?? 0) + 1
            let outcome = try await client.upsert([
                Ticket(title: "f"), Ticket(id: next, title: "g"), Ticket(id: last, title: "B"),
            ])
            try expectEqual(outcome.inserted.map(\.title), ["f", "g"])
            try expectEqual(outcome.updated, [Ticket(id: last, title: "B")])
            try expectEqual(
                Set(try await client.findAll(Ticket.self).map(\.title)),
                ["a", "B", "c", "d", "e", "f", "g"]
            )
        },
        promise(
            .keys,
            "a made key is none that a later one of thousands has",
            requires: [.generatedKeys]
        ) { client in
            let given = (0..<3_000).map { Ticket(id: $0, title: "\($0)") }
            let outcome = try await client.upsert(given)
            try expectEqual(outcome.inserted.map(\.title), given.map(\.title))
            try expectEqual(try await client.count(Ticket.all), 3_000)
            try await client.deleteAll(Ticket.self)
            let again = (0..<3_000).map { Ticket(id: $0 == 0 ? 0 : $0 + 3_000, title: "\($0)") }
            let stored = try await client.insert(again)
            try expectEqual(Set(stored.map(\.id)).count, 3_000)
            try expectEqual(Array(stored.dropFirst()), Array(again.dropFirst()))
        },
        promise(
            .keys,
            "a key that cannot be made concerns its own call alone",
            requires: [.generatedKeys]
        ) { client in
            try await client.insert(Ticket(id: .max, title: "a"))
            try await client.write { transaction in
                try transaction.insert(Hero(1))
                try expectErrorInside(.full) { try transaction.insert(Ticket(title: "b")) }
                try expectErrorInside(.full) { try transaction.upsert(Ticket(title: "c")) }
                try expectErrorInside(.full) {
                    try transaction.insert([Ticket(title: "d"), Ticket(title: "e")])
                }
                try transaction.insert(Hero(2))
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 2])
            try expectEqual(try await client.findAll(Ticket.self).map(\.title), ["a"])
        },
        promise(
            .keys,
            "of two keys the last one is made for neither",
            requires: [.generatedKeys]
        ) { client in
            try await client.insert(Ticket(id: .max - 1, title: "a"))
            try await client.write { transaction in
                try transaction.insert(Hero(1))
                try expectErrorInside(.full) {
                    try transaction.insert([Ticket(title: "b"), Ticket(title: "c")])
                }
            }
            try expectEqual(try await client.count(Hero.all), 1)
            try expectEqual(try await client.findAll(Ticket.self).map(\.title), ["a"])
        },
        promise(
            .keys,
            "a made key that is none of the model's type leaves nothing",
            requires: [.generatedKeys]
        ) { client in
            try await client.insert(Stamp(id: .max, title: "a"))
            try await client.write { transaction in
                try expectErrorInside(.decoding) { try transaction.insert(Stamp(title: "b")) }
                try expectErrorInside(.decoding) { try transaction.upsert(Stamp(title: "c")) }
                try transaction.insert(Hero(1))
            }
            try await expectError(.decoding) { try await client.insert(Stamp(title: "d")) }
            try expectEqual(try await client.findAll(Stamp.self), [Stamp(id: .max, title: "a")])
            try expectEqual(try await client.count(Hero.all), 1)
        },
        promise(
            .keys,
            "a value that is refused keeps no key from being made",
            requires: [.generatedKeys]
        ) { client in
            let first = try await client.insert(Stamp(title: "taken"))
            try await client.write { transaction in
                try expectErrorInside(.uniqueViolation) {
                    try transaction.insert(Stamp(id: 60, title: "taken"))
                }
                try expectErrorInside(.uniqueViolation) {
                    try transaction.upsert(Stamp(id: 61, title: "taken"))
                }
                // The last key there is.
                try expectErrorInside(.uniqueViolation) {
                    try transaction.insert(Stamp(id: .max, title: "taken"))
                }
                try expectErrorInside(.uniqueViolation) {
                    try transaction.insert([Stamp(title: "a"), Stamp(id: .max, title: "taken")])
                }
                let made = try transaction.insert(Stamp(title: "free"))
                try expect(made.id > first.id, "keys ascend")
            }
            try await expectError(.uniqueViolation) {
                try await client.upsert(Stamp(id: .max, title: "taken"))
            }
            try await client.insert(Stamp(title: "more"))
            try expectEqual(
                try await client.findAll(Stamp.self).map(\.title),
                ["taken", "free", "more"]
            )
            try await client.insert(Stamp(id: .max, title: "last"))
            try await expectError(.decoding) { try await client.insert(Stamp(title: "none")) }
        },
    ]
}

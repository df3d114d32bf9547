import DBClientCore

/// Calls on more values than an engine takes at once: they mean what calls on few values mean.
enum LargeCallCases {
    static let all: [ConformanceCase] = [
        promise(.upsert, "a key is made among thousands in order", requires: [.generatedKeys]) {
            client in
            let given = (1...1_100).map { Ticket(id: $0, title: "given") }
            try await client.insert(given)
            let outcome = try await client.upsert([Ticket(title: "new")] + given)
            try expectEqual(outcome.inserted.map(\.title), ["new"])
            try expectEqual(outcome.updated, given)
            let made = outcome.inserted[0]
            try expect(made.id > 1_100, "the key \(made.id) was made")
            try expectEqual(try await client.find(Ticket.self, key: 0), nil)
            try expectEqual(try await client.find(Ticket.self, key: made.id), made)
            try expectEqual(try await client.count(Ticket.all), 1_101)
        },
        promise(
            .upsert,
            "a key is made between thousands below it and thousands above",
            requires: [.generatedKeys]
        ) { client in
            let below = (-1_050 ... -1).map { Ticket(id: $0, title: "below") }
            let above = (1...1_050).map { Ticket(id: $0 + 5_000, title: "above") }
            let outcome = try await client.upsert(below + [Ticket(title: "new")] + above)
            try expectEqual(outcome.updated, [])
            let made = outcome.inserted[1_050]
            try expectEqual(made.title, "new")
            try expect(made.id > 0, "the key \(made.id) was made")
            try expectEqual(outcome.inserted, below + [made] + above)
            try expectEqual(try await client.find(Ticket.self, key: 0), nil)
            try expectEqual(try await client.count(Ticket.all), 2_101)
        },
    ]
}

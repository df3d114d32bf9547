import DBClientCore

/// How an observation ends, and with which error.
enum ObservationEndCases {
    static let all: [ConformanceCase] = [
        observing("a request that makes no sense ends the observation") { client in
            try await expectError(.invalidRequest) {
                for try await _ in client.observe(Hero.all.limit(-1)) {}
            }
        },
        observing("a request that was made to fail ends the observation with its error") { client in
            let failing = FetchRequest<Hero>(
                failing: DBClientError(.invalidValue, "The parameters make no sense.")
            )
            try await expectError(.invalidValue) { for try await _ in client.observe(failing) {} }
            try await expectError(.invalidValue) {
                for try await _ in client.observeCount(failing) {}
            }
            let held = Artist.where { $0.skills.contains { $0.doubled > 3 } }
            try await expectError(.invalidRequest) { for try await _ in client.observe(held) {} }
        },
        observing("closing the client ends what is told of values that hold others") { client in
            try await client.insert(Artist(1, studio: Studio(1, "a")))
            var observer = try await Observer(client.observe(Artist.all))
            try client.close()
            try await expectError(.closed) { _ = try await observer.update() }
            try await expectError(.closed) { for try await _ in client.observe(Artist.all) {} }
            try await expectError(.closed) { for try await _ in client.observe(Champion.all) {} }
            try await expectError(.closed) { for try await _ in client.changes(of: Artist.self) {} }
        },
        observing("closing the client ends its observations") { client in
            try await client.insert(Hero(1))
            var observer = try await Observer(client.observe(Hero.all))
            let follower = Follower(client.observe(Hero.where { $0.id > 5 }))
            try await follower.settle { [] }
            try client.close()
            try await expectError(.closed) { _ = try await observer.update() }
            let error = try await follower.end() as? DBClientError
            try expectEqual(error?.code, .closed)
        },
        observing("a closed client cannot be observed") { client in
            try client.close()
            try await expectError(.closed) { for try await _ in client.observe(Hero.all) {} }
            try await expectError(.closed) { for try await _ in client.observeCount(Hero.all) {} }
            try await expectError(.closed) { for try await _ in client.changes(of: Hero.self) {} }
            try await expectError(.closed) {
                var feed = try await client.changes(of: Hero.self).begin()
                _ = try await feed.next()
            }
        },
        observing("cancelling the task ends the loop") { client in
            let follower = Follower(client.observe(Hero.all))
            try await follower.settle { [] }
            follower.cancel()
            try expect(try await follower.end() == nil, "an error ended the observation")
            // The others go on.
            var observer = try await Observer(client.observe(Hero.all))
            try await client.insert(Hero(1))
            try expectEqual(try await observer.update().insertions, [0])
        },
        observing("leaving the loop ends the observation, and one can begin again") { client in
            for round in 0..<20 {
                for try await change in client.observe(Hero.all) {
                    if case .update(let changes) = change {
                        try expectEqual(changes.insertions, [round])
                        break
                    }
                    try await client.insert(Hero(round))
                }
            }
        },
        observing("a value that no longer fits the model ends the observation") { client in
            try await client.insert(Fussy(id: 1, number: 1))
            var iterator = client.observe(Fussy.all).makeAsyncIterator()
            do {
                while let change = try await iterator.next() {
                    try expectEqual(change.objects.count, 1)
                    try await client.insert(Fussy(id: 2, number: -1))
                }
                throw ConformanceFailure("nothing was thrown")
            } catch let error as DBClientError {
                try expectEqual(error.code, .decoding)
            }
            try expect(try await iterator.next() == nil, "the observation went on")
        },
    ]
}

/// Writes every number, and refuses to read negative ones.
private struct Fussy: Stored {
    var id: Int
    var number: Int

    init(id: Int, number: Int) {
        self.id = id
        self.number = number
    }

    static let schema = Schema<Fussy>(
        name: "Fussy",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.number, "number")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        number = try row.read()
        if number < 0 {
            throw DBClientError(.decoding, "The number is negative.", entity: "Fussy")
        }
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(number)
    }
}

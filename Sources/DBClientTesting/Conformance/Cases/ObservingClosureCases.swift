import DBClientCore

/// Observations that call a closure, and writes that pass observers over.
enum ObservingClosureCases {
    /// Keeps what a closure was told, isolated as the closure is.
    private actor Screen {
        private(set) var copy = ObservedCopy<Hero>()
        private(set) var failure: DBClientError?
        private(set) var broken: (any Error)?

        func take(_ change: Change<Hero>) {
            do {
                try copy.apply(change)
            } catch {
                broken = broken ?? error
            }
        }

        func fail(_ error: DBClientError) {
            failure = error
        }

        /// Makes a change to the copy that the store is told of without telling the copy.
        func show(_ heroes: [Hero]) throws {
            try copy.replace(heroes)
        }
    }

    private static func wait(
        for what: String,
        _ condition: () async throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try await !condition() {
            try expect(ContinuousClock.now < deadline, "\(what) did not come")
            try await Task.sleep(for: .microseconds(200))
        }
    }

    private static func observe(_ client: any DBClient, on screen: Screen) -> ObservationToken {
        client.observe(
            Hero.all,
            on: screen,
            onFailure: { screen, error in screen.fail(error) },
            { screen, change in screen.take(change) }
        )
    }

    static let all: [ConformanceCase] = [
        observing("a closure is called on its actor until its token is cancelled") { client in
            let screen = Screen()
            let token = observe(client, on: screen)
            try await wait(for: "the initial element") { await screen.copy.rows != nil }
            try await client.insert([Hero(1), Hero(2)])
            try await wait(for: "the update") { await screen.copy.rows?.count == 2 }
            token.cancel()
            try await client.insert(Hero(3))
            // Another observer is told of the same commit, and later than the first would have been.
            let follower = Follower(client.observe(Hero.where { $0.id > 2 }))
            try await follower.settle { [Hero(3)] }
            try await client.insert(Hero(4))
            try await follower.settle { [Hero(3), Hero(4)] }
            try expectEqual(await screen.copy.rows?.count, 2)
            if let broken = await screen.broken { throw broken }
        },
        observing("letting the token go ends the observation") { client in
            let screen = Screen()
            var token: ObservationToken? = observe(client, on: screen)
            try await wait(for: "the initial element") { await screen.copy.rows != nil }
            _ = token
            token = nil
            try await client.insert(Hero(1))
            let follower = Follower(client.observe(Hero.all))
            try await follower.settle { [Hero(1)] }
            try await client.insert(Hero(2))
            try await follower.settle { [Hero(1), Hero(2)] }
            try expectEqual(await screen.copy.rows?.count, 0)
        },
        observing("a closure is called on the main actor by default") { client in
            let screen = Screen()
            let token = client.observe(Hero.all) { change in
                MainActor.assertIsolated()
                Task { await screen.take(change) }
            }
            try await wait(for: "the initial element") { await screen.copy.rows != nil }
            token.cancel()
        },
        observing("a failure is told to the closure for it") { client in
            let screen = Screen()
            let token = observe(client, on: screen)
            try await wait(for: "the initial element") { await screen.copy.rows != nil }
            try client.close()
            try await wait(for: "the failure") { await screen.failure != nil }
            try expectEqual(await screen.failure?.code, .closed)
            token.cancel()
        },
        observing("a write without notifying an observer is told to the others alone") { client in
            try await client.insert([Hero(1), Hero(2)])
            let screen = Screen()
            let token = observe(client, on: screen)
            try await wait(for: "the initial element") { await screen.copy.rows != nil }
            var other = try await Observer(client.observe(Hero.all))
            try await client.write(withoutNotifying: token) { transaction in
                try transaction.delete(Hero.self, key: 1)
            }
            try expectEqual(try await other.update().deletions, [0])
            try await screen.show([Hero(2)])
            // The next change set is relative to what the observer has made of it itself.
            try await client.insert(Hero(3))
            try await wait(for: "the update") { await screen.copy.rows?.count == 2 }
            if let broken = await screen.broken { throw broken }
            try client.blocking.write(withoutNotifying: token) { transaction in
                try transaction.update(Hero(3, "new"))
            }
            try await screen.show([Hero(2), Hero(3, "new")])
            try await client.delete(Hero.self, key: 2)
            try await wait(for: "the update") { await screen.copy.rows?.count == 1 }
            if let broken = await screen.broken { throw broken }
            try expectEqual(await screen.copy.updates, 2)
            token.cancel()
        },
    ]
}

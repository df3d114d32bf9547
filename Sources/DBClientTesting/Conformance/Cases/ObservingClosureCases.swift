import DBClientCore
import Foundation

/// Observations that call a closure, and writes that pass observers over.
enum ObservingClosureCases {
    /// Keeps what a closure was told, isolated as the closure is.
    private actor Screen {
        private(set) var copy = ObservedCopy<Hero>()
        private(set) var failure: DBClientError?
        private(set) var broken: (any Error)?
        private var isCancelled = false
        /// What came last, whatever the copy says.
        private(set) var objects: [ObservedForm]?

        func take(_ change: Change<Hero>) {
            do {
                objects = try change.objects.map { try ObservedForm($0) }
                try expect(!isCancelled, "a cancelled observation called its closure")
                try copy.apply(change)
            } catch {
                broken = broken ?? error
            }
        }

        /// Cancels an observation while a change waits for the actor.
        func cancel(_ token: ObservationToken, after write: () throws -> Void) throws {
            try write()
            // The change comes as far as the actor, where nothing shows that it waits. One that comes later finds the
            // observation cancelled.
            Thread.sleep(forTimeInterval: 0.05)
            token.cancel()
            isCancelled = true
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
        let deadline = ContinuousClock.now + .seconds(60)
        while try await !condition() {
            try expect(ContinuousClock.now < deadline, "\(what) did not come")
            try await Task.sleep(for: .microseconds(200))
        }
    }

    private static func observe(
        _ client: any DBClient,
        _ request: FetchRequest<Hero> = Hero.all,
        on screen: Screen
    ) -> ObservationToken {
        client.observe(
            request,
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
        observing("a change that waits for the actor is not told once the token is cancelled") {
            client in
            for round in 0..<4 {
                let screen = Screen()
                let token = observe(client, on: screen)
                try await wait(for: "the initial element") { await screen.copy.rows != nil }
                try await screen.cancel(token) { try client.blocking.insert(Hero(round)) }
                let follower = Follower(client.observe(Hero.all))
                try await follower.settle { try await client.fetch(Hero.all) }
                if let broken = await screen.broken { throw broken }
            }
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
            let token = client.observe(Hero.all) { error in
                MainActor.assertIsolated()
                Task { await screen.fail(error) }
            } _: { change in
                MainActor.assertIsolated()
                Task { await screen.take(change) }
            }
            try await wait(for: "the initial element") { await screen.copy.rows != nil }
            try client.close()
            try await wait(for: "the failure") { await screen.failure != nil }
            try expectEqual(await screen.failure?.code, .closed)
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
        observing("a write without notifying is told nowhere where the result is read again") {
            client in
            try await client.insert((1...100).map { Hero($0, power: Double($0)) })
            let first = Hero.all.sorted { $0.power }.limit(3)
            let screen = Screen()
            let token = observe(client, first, on: screen)
            try await wait(for: "the initial element") { await screen.copy.rows != nil }
            var other = try await Observer(client.observe(first))
            // More than a result with a limit keeps beyond what it shows.
            try await client.write(withoutNotifying: token) { transaction in
                _ = try transaction.delete(Hero.where { $0.id <= 90 })
            }
            try expectEqual(try await other.update().objects.map(\.id), [91, 92, 93])
            try await screen.show(try await client.fetch(first))
            try await client.insert(Hero(1, power: 1))
            let expected = try await client.fetch(first).map { try ObservedForm($0) }
            try await wait(for: "the update") { await screen.copy.rows == expected }
            if let broken = await screen.broken { throw broken }
            try expectEqual(await screen.copy.updates, 1)
            token.cancel()
        },
        observing("a write that others overtake is told where not all were silent") { client in
            try await client.insert((1...100).map { Hero($0, power: Double($0)) })
            let first = Hero.all.sorted { $0.power }.limit(3)
            let screen = Screen()
            let token = observe(client, first, on: screen)
            try await wait(for: "the initial element") { await screen.copy.rows != nil }
            async let silent: Int = client.write(withoutNotifying: token) { transaction in
                try transaction.delete(Hero.where { $0.id <= 90 })
            }
            async let loud = client.update(Hero.self, key: 92) { $0.set(\.name, to: "loud") }
            _ = try await (silent, loud)
            try await client.update(Hero.self, key: 93) { $0.set(\.name, to: "last") }
            let expected = try await client.fetch(first).map { try ObservedForm($0) }
            try await wait(for: "the update") { await screen.objects == expected }
            token.cancel()
        },
        observing("a savepoint that is undone keeps nobody from being told") { client in
            let screen = Screen()
            let token = observe(client, on: screen)
            try await wait(for: "the initial element") { await screen.copy.rows != nil }
            try await client.write { transaction in
                try transaction.insert(Hero(1))
                do {
                    try client.blocking.write(withoutNotifying: token) { nested in
                        _ = try nested.insert(Hero(2))
                        throw SuiteError.deliberate
                    }
                } catch SuiteError.deliberate {}
            }
            try await wait(for: "the update") { await screen.copy.rows?.count == 1 }
            // A savepoint that is undone takes back no more than what was done in it.
            try await client.write(withoutNotifying: token) { transaction in
                try transaction.insert(Hero(2))
                do {
                    try transaction.write { _ in throw SuiteError.deliberate }
                } catch SuiteError.deliberate {}
            }
            try await screen.show([Hero(1), Hero(2)])
            try await client.insert(Hero(3))
            try await wait(for: "the update") { await screen.copy.rows?.count == 3 }
            if let broken = await screen.broken { throw broken }
            try expectEqual(await screen.copy.updates, 2)
            token.cancel()
        },
        observing("a write without notifying goes through decorators") { client in
            let rule = ValidatingDBClient.Rule.rule(Hero.self) { _ in }
            let decorated = RetryingDBClient(ValidatingDBClient(client, rules: [rule]))
            let screen = Screen()
            let token = observe(decorated, on: screen)
            try await wait(for: "the initial element") { await screen.copy.rows != nil }
            try await decorated.write(withoutNotifying: token) { transaction in
                _ = try transaction.insert(Hero(1))
            }
            try decorated.blocking.write(withoutNotifying: token) { transaction in
                _ = try transaction.insert(Hero(2))
            }
            try await screen.show([Hero(1), Hero(2)])
            try await client.insert(Hero(3))
            try await wait(for: "the update") { await screen.copy.rows?.count == 3 }
            if let broken = await screen.broken { throw broken }
            try expectEqual(await screen.copy.updates, 1)
            token.cancel()
        },
    ]
}

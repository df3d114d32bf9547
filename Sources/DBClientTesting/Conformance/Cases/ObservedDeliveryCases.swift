import DBClientCore

/// Closures that are told of values, numbers, functions and some fields.
enum ObservedDeliveryCases {
    /// Keeps what its closures were told.
    private actor Panel {
        private(set) var names: [String?] = []
        private(set) var numbers: [Int] = []
        private(set) var strongest: [Double?] = []
        /// Nil until the values as they are were told.
        private(set) var updates: Int?
        private(set) var failures: [DBClientError.Code] = []

        func show(_ hero: Hero?) { names.append(hero?.name) }
        func count(_ number: Int) { numbers.append(number) }
        func measure(_ power: Double?) { strongest.append(power) }
        func fail(_ error: DBClientError) { failures.append(error.code) }

        func take(_ change: Change<Hero>) {
            if case .update = change { updates = (updates ?? 0) + 1 } else { updates = 0 }
        }
    }

    private static func wait(
        for what: String,
        _ condition: () async throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(50)
        while try await !condition() {
            try expect(ContinuousClock.now < deadline, "\(what) did not come")
            try await Task.sleep(for: .microseconds(200))
        }
    }

    static let all: [ConformanceCase] = [
        observing("closures are told of a value, a number and a function until they end") {
            client in
            let panel = Panel()
            let tokens = [
                client.observe(Hero.self, key: 1).deliver(
                    on: panel,
                    onFailure: { panel, error in panel.fail(error) },
                    { panel, hero in panel.show(hero) }
                ),
                client.observeCount(Hero.all).deliver(
                    on: panel,
                    onFailure: { panel, error in panel.fail(error) },
                    { panel, number in panel.count(number) }
                ),
                client.observe(Hero.all) { try $0.max(\.power, of: Hero.all) }.deliver(
                    on: panel,
                    onFailure: { panel, error in panel.fail(error) },
                    { panel, power in panel.measure(power) }
                ),
            ]
            try await wait(for: "what is there") {
                let first = await (panel.names, panel.numbers, panel.strongest)
                return first.0 == [nil] && first.1 == [0] && first.2 == [nil]
            }
            try await client.insert([Hero(1, "a", power: 1), Hero(2, power: 2)])
            try await wait(for: "what was inserted") {
                let now = await (panel.names.last, panel.numbers.last, panel.strongest.last)
                return now.0 == "a" && now.1 == 2 && now.2 == 2
            }
            tokens[1].cancel()
            try await client.insert(Hero(3, power: 3))
            try await wait(for: "the function") { await panel.strongest.last == 3 }
            try expectEqual(await panel.numbers, [0, 2])
            try client.close()
            try await wait(for: "the failure") { await panel.failures.count == 2 }
            try expectEqual(await panel.failures, [.closed, .closed])
            for token in tokens { token.cancel() }
        },
        observing("closures are told of some fields, and may be passed over") { client in
            try await client.insert(Hero(1))
            let panel = Panel()
            let token = client.observe(Hero.all, fields: \.name).deliver(
                on: panel,
                onFailure: { panel, error in panel.fail(error) },
                { panel, change in panel.take(change) }
            )
            let number = client.observeCount(Hero.all).deliver(
                on: panel,
                onFailure: { panel, error in panel.fail(error) },
                { panel, number in panel.count(number) }
            )
            try await wait(for: "what is there") {
                let now = await (panel.numbers, panel.updates)
                return now.0 == [1] && now.1 == 0
            }
            try await client.insert(Hero(2))
            try await wait(for: "the update") { await panel.updates == 1 }
            try await client.update(Hero.self, key: 1) { $0.set(\.power, to: 9) }
            try await client.write(withoutNotifying: token) { try $0.insert(Hero(3)) }
            try await client.update(Hero.self, key: 1) { $0.set(\.name, to: "new") }
            try await wait(for: "the update") { await panel.updates == 2 }
            try await wait(for: "the number") { await panel.numbers.last == 3 }
            try expectEqual(await panel.updates, 2)
            number.cancel()
            token.cancel()
        },
        observing("closures are called on the main actor where no other is named") { client in
            let panel = Panel()
            let number = client.observeCount(Hero.all).deliver { error in
                MainActor.assertIsolated()
                Task { await panel.fail(error) }
            } _: { number in
                MainActor.assertIsolated()
                Task { await panel.count(number) }
            }
            let names = client.observe(Hero.all, fields: \.name).deliver { error in
                MainActor.assertIsolated()
                Task { await panel.fail(error) }
            } _: { change in
                MainActor.assertIsolated()
                Task { await panel.take(change) }
            }
            try await wait(for: "what is there") {
                let now = await (panel.numbers, panel.updates)
                return now.0 == [0] && now.1 == 0
            }
            try await client.insert(Hero(1))
            try await wait(for: "the update") { await panel.updates == 1 }
            try client.close()
            try await wait(for: "the failures") { await panel.failures == [.closed, .closed] }
            names.cancel()
            number.cancel()
        },
    ]
}

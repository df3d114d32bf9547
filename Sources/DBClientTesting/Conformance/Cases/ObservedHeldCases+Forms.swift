import DBClientCore

extension ObservedHeldCases {
    /// By fields, by key, as a feed of commits, and without the changes that the observer made itself.
    static let forms: [ConformanceCase] = [
        DBClientTesting.observing("fields that hold values are observed alone") { client in
            try await client.insert(artists)
            var observer = client.observe(Artist.all, fields: \.name, \.skills, \.mentor)
                .makeAsyncIterator()
            _ = try await observer.next()
            try await client.update(Studio.self, key: 1) { $0.set(\.name, to: "unseen") }
            try await client.update(Artist.self, key: 3) { $0.set(\.friends, to: []) }
            try await client.update(Skill("pencil", 1))
            var told: [[Int]] = []
            func next() async throws -> ChangeSet<Artist> {
                guard case .update(let changes)? = try await observer.next() else {
                    throw ConformanceFailure("no update came")
                }
                return changes
            }
            told.append(try await next().modifications.map(\.new))
            try await client.update(Artist.self, key: 3) { $0.set(\.mentor, to: Reference(2)) }
            let changes = try await next()
            told.append(changes.modifications.map(\.new))
            try expectEqual(told, [[0], [2]])
            try expectEqual(changes.objects[0].studio?.name, "unseen")
        },
        DBClientTesting.observing("a value that holds others is observed by its key") { client in
            try await client.insert(artists)
            var values = client.observe(Artist.self, key: 1).makeAsyncIterator()
            try expectEqual(try await values.next() ?? nil, artists[0])
            try await client.update(Artist.self, key: 2) { $0.set(\.name, to: "unseen") }
            try await client.update(Skill("pencil", 1))
            try expectEqual(try await values.next()??.skills, [ink, Skill("pencil", 1)])
            try await client.delete(Artist.self, key: 1)
            try expectEqual(try await values.next(), .some(nil))
        },
        DBClientTesting.observing("commits to values that hold others are told") { client in
            try await client.insert(artists)
            var feed = client.changes(of: Artist.self).makeAsyncIterator()
            try await client.update(Skill("pencil", 1))
            var commit = try await feed.next()
            try expectEqual(commit?.updated.map(\.before), [artists[0]])
            try expectEqual(commit?.updated.map(\.after.skills), [[ink, Skill("pencil", 1)]])
            try expectEqual(commit?.hasUntrackedChanges, false)
            try await client.insert(Skill("unseen"))
            try await client.write { transaction in
                try transaction.insert(Artist(4, "new", studio: image))
                try transaction.delete(Artist.self, key: 3)
            }
            commit = try await feed.next()
            try expectEqual(commit?.inserted, [Artist(4, "new", studio: image)])
            try expectEqual(commit?.deleted, [artists[2]])
            try expectEqual(commit?.updated, [])
            try client.close()
            try await expectError(.closed) { _ = try await feed.next() }
        },
        DBClientTesting.observing("a feed of held values begins without holding up its caller") {
            client in
            try await client.insert(artists)
            var feed = try await client.changes(of: Artist.self).begin()
            try await client.update(Skill("pencil", 1))
            let commit = try await feed.next()
            try expectEqual(commit?.updated.map(\.before), [artists[0]])
            try expectEqual(commit?.updated.map(\.after.skills), [[ink, Skill("pencil", 1)]])
            var flat = try await client.changes(of: Skill.self).begin()
            try await client.update(Skill("pencil", 3))
            try expectEqual(try await flat.next()?.updated.map(\.after), [Skill("pencil", 3)])
            // What is committed while it begins is told or among what it knows, never neither.
            let writing = Task {
                for level in 10..<40 { try await client.update(Skill("pencil", level)) }
            }
            var late = try await client.changes(of: Artist.self).begin()
            try await writing.value
            try await client.update(Skill("pencil", 40))
            var level: Int?
            while level != 40 {
                guard let update = try await late.next()?.updated.first else {
                    throw ConformanceFailure("no update came")
                }
                if let level { try expectEqual(update.before.skills[1].level, level) }
                level = update.after.skills[1].level
            }
            try client.close()
            try await expectError(.closed) { _ = try await client.changes(of: Artist.self).begin() }
        },
        DBClientTesting.observing("commits while a listener of held values is away are merged") {
            client in
            try await client.insert(artists)
            var feed = client.changes(of: Artist.self).makeAsyncIterator()
            for level in 10..<60 { try await client.update(Skill("pencil", level)) }
            var level = 9
            while level < 59 {
                guard let update = try await feed.next()?.updated.first else {
                    throw ConformanceFailure("no update came")
                }
                try expectEqual(update.before.skills[1].level, level)
                try expect(update.after.skills[1].level > level, "a commit went back")
                level = update.after.skills[1].level
            }
        },
        DBClientTesting.observing("who changes what values hold need not be told") { client in
            try await client.insert(artists)
            let follower = Follower(client.observe(Artist.all))
            try await follower.settle { try await client.fetch(Artist.all) }
            let silent = Silent()
            let token = client.observe(
                Artist.all,
                on: silent,
                onFailure: { $0.fail($1) },
                { $0.take($1) }
            )
            try await silent.wait(for: 1)
            try await client.write(withoutNotifying: token) { transaction in
                try transaction.update(Studio.self, key: 1) { $0.set(\.name, to: "told to others") }
            }
            try await follower.settle { try await client.fetch(Artist.all) }
            try expectEqual(follower.updates, 1)
            // The next change that is told has what was not.
            try await client.update(Artist.self, key: 3) { $0.set(\.name, to: "told to all") }
            try await silent.wait(for: 2)
            let last = await silent.changes
            try expectEqual(last.count, 2)
            guard case .update(let changes) = last[1] else {
                throw ConformanceFailure("a second initial element came")
            }
            try expectEqual(changes.modifications.map(\.new), [2])
            try expectEqual(changes.previous[0].studio?.name, "told to others")
            token.cancel()
        },
        DBClientTesting.observing("who changes what many values hold need not be told") { client in
            try await client.insert(
                (1...1_200).map { Artist($0, "n", studio: marvel, skills: [ink]) }
            )
            let follower = Follower(client.observe(Artist.all))
            try await follower.settle { try await client.fetch(Artist.all) }
            let silent = Silent()
            let token = client.observe(
                Artist.all,
                on: silent,
                onFailure: { $0.fail($1) },
                { $0.take($1) }
            )
            try await silent.wait(for: 1)
            // So many values are read as the whole result.
            try await client.write(withoutNotifying: token) { transaction in
                try transaction.update(Studio.self, key: 1) { $0.set(\.name, to: "told to others") }
            }
            try await follower.settle { try await client.fetch(Artist.all) }
            try await client.update(Artist.self, key: 3) { $0.set(\.name, to: "told to all") }
            try await silent.wait(for: 2)
            guard case .update(let changes) = await silent.changes[1] else {
                throw ConformanceFailure("a second initial element came")
            }
            try expectEqual(changes.modifications.map(\.new), [2])
            token.cancel()
        },
    ]
}

/// Keeps what it is told, until it is asked.
private actor Silent {
    private(set) var changes: [Change<Artist>] = []
    private var failure: DBClientError?

    func take(_ change: Change<Artist>) { changes.append(change) }

    func fail(_ error: DBClientError) { failure = error }

    /// Waits until so many changes have come.
    func wait(for count: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(50)
        while changes.count < count {
            if let failure { throw failure }
            try expect(ContinuousClock.now < deadline, "\(count) changes did not come")
            try await Task.sleep(for: .microseconds(200))
        }
    }
}

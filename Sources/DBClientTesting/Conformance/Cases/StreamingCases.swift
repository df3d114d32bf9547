import DBClientCore

/// Streams, which deliver values one by one.
enum StreamingCases {
    static let all: [ConformanceCase] = [
        promise(.streaming, "forEach visits in order and stops on demand") { client in
            try await client.insert((1...9).map { Hero($0) })
            let visited = try await client.read { transaction in
                var visited: [Int] = []
                try transaction.forEach(Hero.all.sorted { $0.id.descending }) { hero in
                    visited.append(hero.id)
                    return visited.count < 4
                }
                return visited
            }
            try expectEqual(visited, [9, 8, 7, 6])
        },
        promise(.streaming, "forEach may ask other questions while it visits") { client in
            try await client.insert((1...5).map { Hero($0, publisherId: 6 - $0) })
            let pairs = try await client.read { transaction in
                var pairs: [[Int]] = []
                try transaction.forEach(Hero.all) { hero in
                    let other = try transaction.find(Hero.self, key: hero.publisherId ?? 0)
                    pairs.append([hero.id, other?.id ?? 0])
                    pairs[pairs.count - 1].append(
                        try transaction.count(Hero.where { $0.id < hero.id })
                    )
                    return true
                }
                return pairs
            }
            try expectEqual(pairs, (1...5).map { [$0, 6 - $0, $0 - 1] })
        },
        promise(.streaming, "forEach sees the state at its beginning while the body writes") {
            client in
            try await client.insert((1...20).map { Hero($0, power: 1) })
            try await client.write { transaction in
                var visited: [Int] = []
                try transaction.forEach(Hero.where { $0.power == 1 }) { hero in
                    visited.append(hero.id)
                    try transaction.update(Hero.self, key: hero.id) { $0.set(\.power, to: 2) }
                    try transaction.upsert(Hero(hero.id + 100, power: 3))
                    return true
                }
                try expectEqual(visited, Array(1...20))
            }
            try expectEqual(try await client.count(Hero.all), 40)
            try expectEqual(try await client.count(Hero.where { $0.power == 2 }), 20)
        },
        promise(.streaming, "forEach ends although the body adds what it asks for") { client in
            try await client.insert((1...20).map { Hero($0, power: Double($0)) })
            try await client.write { transaction in
                var visited: [Int] = []
                try transaction.forEach(Hero.all) { hero in
                    visited.append(hero.id)
                    try transaction.upsert(Hero(hero.id + 100))
                    if hero.id < 20 { try transaction.delete(Hero.self, key: hero.id + 1) }
                    return visited.count < 1_000
                }
                try expectEqual(visited, Array(1...20))
                visited = []
                try transaction.forEach(Hero.all.sorted { $0.power }) { hero in
                    visited.append(hero.id)
                    try transaction.update(Hero.self, key: hero.id) {
                        $0.set(\.power, to: hero.power + 1_000)
                    }
                    return visited.count < 1_000
                }
                try expectEqual(visited.count, 21)
            }
            try expectEqual(try await client.count(Hero.all), 21)
        },
        promise(.streaming, "an error in forEach comes through") { client in
            try await client.insert([Hero(1), Hero(2)])
            do {
                try await client.read { transaction in
                    try transaction.forEach(Hero.all) { _ in throw SuiteError.deliberate }
                }
                throw ConformanceFailure("nothing was thrown")
            } catch SuiteError.deliberate {}
            try expectEqual(try await client.count(Hero.all), 2)
        },
        promise(.streaming, "a stream gives every value once, in order") { client in
            try await client.insert((0..<30).map { Hero($0, power: Double($0 % 3)) })
            let request = Hero.all.sorted { $0.power.descending }
            let all = try await client.fetch(request).map(\.id)
            for size in [1, 4, 30, 100] {
                var streamed: [Int] = []
                for try await hero in client.stream(request, batchSize: size) {
                    streamed.append(hero.id)
                }
                try expectEqual(streamed, all, "batches of \(size):")
            }
        },
        promise(.streaming, "a stream obeys limit and offset") { client in
            try await client.insert((0..<30).map { Hero($0) })
            for (offset, limit) in [(3, 10), (25, 10), (0, 0), (29, 1), (40, 5)] {
                let request = Hero.all.offset(offset).limit(limit)
                var streamed: [Int] = []
                for try await hero in client.stream(request, batchSize: 4) {
                    streamed.append(hero.id)
                }
                try expectEqual(streamed, try await client.fetch(request).map(\.id))
            }
        },
        promise(.streaming, "a stream of a malformed request throws") { client in
            try await expectError(.invalidRequest) {
                for try await _ in client.stream(Hero.all.limit(-1)) {}
            }
        },
        promise(.streaming, "explain tells something about a request") { client in
            try await client.insert(Hero(1))
            try expect(
                try await !client.explain(Hero.where { $0.name == "a" }).isEmpty,
                "an empty plan"
            )
        },
    ]
}

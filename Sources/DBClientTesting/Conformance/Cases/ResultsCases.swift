import DBClientCore

/// Values by their positions, read when they are asked for.
enum ResultsCases {
    static let all: [ConformanceCase] = [
        promise(.results, "every position has the value that a fetch has there") { client in
            try await client.insert((0..<300).map { Hero($0, power: Double($0 % 7)) })
            let request = Hero.where { $0.id != 5 }.sorted { $0.power.descending }
            let expected = try await client.fetch(request)
            for batchSize in [1, 64, 1_000] {
                let results = try await client.results(
                    of: request,
                    options: FetchedResultsOptions(batchSize: batchSize, maximumBatches: 2)
                )
                try expectEqual(results.count, expected.count)
                for index in results.indices {
                    try expectEqual(try results[index], expected[index])
                }
                for index in results.indices.reversed() {
                    try expectEqual(try results[index], expected[index])
                }
                for step in results.indices {
                    let index = step * 131 % results.count
                    try expectEqual(try results[index], expected[index])
                }
                try expectEqual(try results.values(in: 10..<90), Array(expected[10..<90]))
                try expectEqual(results.generation, 0)
            }
        },
        promise(.results, "limits, offsets and composite keys") { client in
            try await client.insert((1...9).map { Issue("A", $0) })
            let results = try await client.results(of: Issue.all.offset(3).limit(4))
            try expectEqual(results.count, 4)
            try expectEqual(try results[3], Issue("A", 7))
            try expectEqual(try client.blocking.results(of: Hero.all).count, 0)
        },
        promise(.results, "what is written meanwhile is not seen") { client in
            try await client.insert((0..<100).map { Hero($0) })
            let results = try await client.results(of: Hero.all)
            try expectEqual(try results[0], Hero(0))
            try await client.delete(Hero.where { $0.id >= 50 })
            try await client.update(Hero.where { $0.id < 50 }) { $0.set(\.name, to: "changed") }
            try await client.insert(Hero(500))
            try expectEqual(results.count, 100)
            for index in results.indices { try expectEqual(try results[index], Hero(index)) }
            try expectEqual(results.generation, 0)
        },
        promise(.results, "values are of one snapshot, also when it had to be taken anew") {
            client in
            try await client.insert((0..<100).map { Hero($0) })
            let results = try await client.results(
                of: Hero.all,
                options: FetchedResultsOptions(maximumSnapshotAge: .milliseconds(100))
            )
            try await client.update(Hero.all) { $0.set(\.name, to: "changed") }
            try await client.delete(Hero.with(key: 99))
            try await Task.sleep(for: .milliseconds(400))
            let first = try results[0]
            let isNew = results.generation > 0
            try expectEqual(first.name, isNew ? "changed" : "Hero 0")
            try expectEqual(results.count, isNew ? 99 : 100)
            try expectErrorInside(.invalidRequest) { _ = try results[100] }
            try expectErrorInside(.invalidRequest) { _ = try results[-1] }
        },
        promise(.results, "rows are a collection of the same values") { client in
            try await client.insert((0..<200).map { Hero($0, power: Double($0 % 7)) })
            let request = Hero.all.sorted { $0.power }
            let expected = try await client.fetch(request)
            let rows = try await client.results(of: request).rows
            try expectEqual(rows.count, 200)
            try expectEqual(try rows.map { try $0.get() }, expected)
            try expectEqual(try rows.reversed().map { try $0.get() }, expected.reversed())
            try expectEqual(try rows[150...].first?.get(), expected[150])
            try expectEqual(try rows.last?.get(), expected[199])
            for index in [-1, 200] {
                guard case .failure(let error) = rows[index] else {
                    throw ConformanceFailure("There is a value at \(index).")
                }
                try expectEqual(error.code, .invalidRequest)
            }
        },
        promise(.results, "rows never have the value of another position") { client in
            try await client.insert((0..<20).map { Hero($0) })
            let results = try await client.results(of: Hero.all)
            let rows = results.rows
            try await client.update(Hero.all) { $0.set(\.name, to: "changed") }
            results.release()
            // Other values of the same keys keep their positions.
            try expectEqual(try rows[3].get().id, 3)
            try await client.delete(Hero.with(key: 0))
            results.release()
            let isNew = results.rows.count == 20 && results.generation == 0
            for index in rows.indices {
                switch rows[index] {
                // An engine without snapshots across calls has read everything before.
                case .success(let hero): try expect(isNew && hero.id == index, "another value")
                case .failure(let error): try expectEqual(error.code, .invalidRequest)
                }
            }
            let anew = results.rows
            try expectEqual(try anew[1].get().id, isNew ? 1 : 2)
        },
        promise(.results, "a malformed request is refused") { client in
            try await expectError(.invalidRequest) {
                _ = try await client.results(of: Hero.all.limit(-1))
            }
        },
        promise(.results, "results that are let go hold nothing up") { client in
            try await client.insert((0..<10).map { Hero($0) })
            for round in 0..<600 {
                let results = try await client.results(of: Hero.all)
                try expectEqual(try results[round % 10].id, round % 10)
            }
            try await client.insert(Hero(10))
            let results = try await client.results(of: Hero.all)
            _ = try results[0]
            results.release()
            try expectEqual(try results[3], Hero(3))
        },
        promise(.results, "after the client was closed nothing is read") { client in
            try await client.insert((0..<10).map { Hero($0) })
            let results = try await client.results(of: Hero.all)
            try client.close()
            do {
                let value = try results[5]
                // An engine without snapshots across calls has read everything before.
                try expectEqual(value, Hero(5))
            } catch let error as DBClientError {
                try expectEqual(error.code, .closed)
            }
        },
    ]
}

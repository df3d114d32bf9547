import DBClientCore
import Foundation

/// Values by their positions, read when they are asked for.
enum ResultsCases {
    static let all: [ConformanceCase] = [
        promise(.results, "every position has the value that a fetch has there") { client in
            try await client.insert((0..<300).map { Hero($0, power: Double($0 % 7)) })
            let request = Hero.where { $0.id != 5 }.sorted { $0.power.descending }
            let expected = try await client.fetch(request)
            for batchSize in [1, 64, 1_000, .max] {
                let results = try await client.results(
                    of: request,
                    options: FetchedResultsOptions(
                        batchSize: batchSize,
                        maximumBatches: 2,
                        maximumSnapshotAge: anHour
                    )
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
            let results = try await client.results(
                of: Issue.all.offset(3).limit(4),
                options: lasting
            )
            try expectEqual(results.count, 4)
            try expectEqual(try results[3], Issue("A", 7))
            try expectEqual(try client.blocking.results(of: Hero.all).count, 0)
        },
        promise(.results, "what is written meanwhile is not seen") { client in
            try await client.insert((0..<100).map { Hero($0) })
            let results = try await client.results(of: Hero.all, options: lasting)
            try expectEqual(try results[0], Hero(0))
            try await client.delete(Hero.where { $0.id >= 50 })
            try await client.update(Hero.where { $0.id < 50 }) { $0.set(\.name, to: "changed") }
            try await client.insert(Hero(500))
            try expectEqual(results.count, 100)
            for index in results.indices { try expectEqual(try results[index], Hero(index)) }
            try expectEqual(results.generation, 0)
        },
        promise(.results, "several values are those of one snapshot, whenever it is let go") {
            client in
            try await client.insert((0..<40).map { Lingering(id: $0, name: "old") })
            let results = try await client.results(
                of: Lingering.all,
                options: FetchedResultsOptions(
                    batchSize: 10,
                    maximumSnapshotAge: .milliseconds(100)
                )
            )
            try await client.update(Lingering.all) { $0.set(\.name, to: "new") }
            let values = try results.values(in: 0..<40)
            try expectEqual(Set(values.map(\.name)).count, 1, "names:")
            try expectEqual(values.map(\.id), Array(0..<40))
        },
        promise(
            .results,
            "a snapshot is let go when it is old, and then taken anew",
            requires: [.heldSnapshots]
        ) { client in
            try await client.insert((0..<100).map { Hero($0) })
            let results = try await client.results(
                of: Hero.all,
                options: FetchedResultsOptions(maximumSnapshotAge: .milliseconds(100))
            )
            try await client.update(Hero.all) { $0.set(\.name, to: "changed") }
            try await client.delete(Hero.with(key: 99))
            let deadline = ContinuousClock.now + .seconds(60)
            while try results[0].name == "Hero 0" {
                try expect(ContinuousClock.now < deadline, "the snapshot is held for ever")
                // Long enough that the next value is no neighbour of the last one.
                _ = try results[50]
                try await Task.sleep(for: .milliseconds(50))
            }
            try expect(results.generation > 0, "the values were read anew, and it is not told")
            for index in results.indices { try expectEqual(try results[index].name, "changed") }
            try expectEqual(results.count, 99)
            try expectErrorInside(.invalidRequest) { _ = try results[99] }
            try expectErrorInside(.invalidRequest) { _ = try results[-1] }
        },
        promise(.results, "rows are a collection of the same values") { client in
            try await client.insert((0..<200).map { Hero($0, power: Double($0 % 7)) })
            let request = Hero.all.sorted { $0.power }
            let expected = try await client.fetch(request)
            let rows = try await client.results(of: request, options: lasting).rows
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
            let results = try await client.results(of: Hero.all, options: lasting)
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
                let results = try await client.results(of: Hero.all, options: lasting)
                try expectEqual(try results[round % 10].id, round % 10)
            }
            try await client.insert(Hero(10))
            let results = try await client.results(of: Hero.all, options: lasting)
            _ = try results[0]
            results.release()
            try expectEqual(try results[3], Hero(3))
        },
        promise(
            .results,
            "after the client was closed nothing is read",
            requires: [.heldSnapshots]
        ) { client in
            try await client.insert((0..<10).map { Hero($0) })
            let results = try await client.results(of: Hero.all, options: lasting)
            try client.close()
            try expectErrorInside(.closed) { _ = try results[5] }
            guard case .failure(let error) = results.rows[5] else {
                throw ConformanceFailure("a row was read")
            }
            try expectEqual(error.code, .closed)
        },
        promise(.results, "values come with what they hold, all of one snapshot") { client in
            let skills = [Skill("a", 1), Skill("b", 2)]
            let artists = (0..<100).map {
                Artist($0, studio: Studio($0 % 3, "s"), skills: $0 % 2 == 0 ? skills : [])
            }
            try await client.insert(artists)
            let request = Artist.where { $0.studio.id != 1 }.sorted { $0.id.descending }
            let expected = try await client.fetch(request)
            let results = try await client.results(of: request, options: lasting)
            try await client.update(Studio.all) { $0.set(\.name, to: "renamed") }
            try await client.delete(Skill.with(key: "a"))
            try await client.delete(Artist.where { $0.id < 50 })
            try expectEqual(results.count, expected.count)
            for index in results.indices { try expectEqual(try results[index], expected[index]) }
            for step in results.indices {
                let index = step * 37 % results.count
                try expectEqual(try results[index], expected[index])
            }
            try expectEqual(try results.rows.map { try $0.get() }, expected)
        },
        promise(.results, "keys of text, of several fields and of bytes") { client in
            let skills = (0..<200).map {
                Skill(String(repeating: "k", count: $0 % 40) + "é\($0)", $0)
            }
            try await client.insert(skills)
            let bySkill = Skill.all.sorted { $0.level.descending }
            let results = try await client.results(of: bySkill, options: lasting)
            for step in results.indices {
                let index = step * 73 % 200
                try expectEqual(try results[index], skills[199 - index])
            }
            try expectEqual(try results.values(in: 3..<80), skills.reversed()[3..<80].map(\.self))
            let issues = (0..<50).map { Issue(String(repeating: "s", count: $0 % 7), $0) }
            try await client.insert(issues)
            let byNumber = try await client.results(
                of: Issue.all.sorted { $0.number },
                options: lasting
            )
            for step in byNumber.indices {
                let index = step * 19 % 50
                try expectEqual(try byNumber[index], issues[index])
            }
            let rows = results.rows
            try await client.update(Skill.all) { $0.set(\.level, to: 0) }
            results.release()
            _ = rows[0]
            try expectEqual(try results[0].level, results.generation > 0 ? 0 : 199)
        },
    ]
}

/// A snapshot that no pause of a busy machine outlives: the cases that write meanwhile let it go
/// themselves.
private let anHour: Duration = .seconds(3_600)
private let lasting = FetchedResultsOptions(maximumSnapshotAge: anHour)

/// Takes longer to read in one of its values than a snapshot is held.
private struct Lingering: Stored {
    let id: Int
    var name: String

    init(id: Int, name: String) {
        self.id = id
        self.name = name
    }

    static let schema = Schema<Lingering>(
        name: "Lingering",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.name, "name")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        if id == 15 && name == "old" { Thread.sleep(forTimeInterval: 0.3) }
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
    }
}

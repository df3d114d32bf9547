import DBClientCore
import Foundation

/// A client of the library, used as its documentation teaches, whatever its engine.
protocol ClientContestant: Contestant {
    /// The client, as an app holds it.
    var client: any DBClient { get }
}

extension ClientContestant {
    func close() throws {
        try client.close()
    }

    func insert(_ rows: [Character]) throws {
        try client.blocking.insert(rows)
    }

    func upsert(_ rows: [Character]) throws {
        let outcome = try client.blocking.upsert(rows)
        guard outcome.inserted.count + outcome.updated.count == rows.count else {
            throw BenchmarkError("an upsert does not tell what it did")
        }
    }

    func get(_ keys: [Int]) throws -> Int {
        try client.blocking.read { transaction in
            var sum = 0
            for key in keys {
                sum &+= try transaction.find(Character.self, key: key)?.weight ?? 0
            }
            return sum
        }
    }

    func get(_ key: Int) throws -> Character? {
        try client.blocking.find(Character.self, key: key)
    }

    func getAsync(_ key: Int) async throws -> Character? {
        try await client.find(Character.self, key: key)
    }

    func fetchAll() throws -> any FetchedRows {
        try client.blocking.fetch(Character.all)
    }

    func fetch(publisher: Int) throws -> any FetchedRows {
        try client.blocking.fetch(Character.where { $0.publisherId == publisher })
    }

    func strongest(over power: Double, limit: Int) throws -> any FetchedRows {
        try client.blocking.fetch(
            Character.where { $0.isActive == true && $0.power > power }
                .sorted { $0.power.descending }.limit(limit)
        )
    }

    func countActive(over power: Double) throws -> Int {
        try client.blocking.count(Character.where { $0.isActive == true && $0.power > power })
    }

    func names() throws -> [(Int, String)] {
        try client.blocking.fetch(Character.all.select(\.id, \.name))
    }

    func publishers() throws -> [PublisherTotal] {
        let request = Character.all.grouped(by: \.publisherId).select(.count, .sum(\.id))
        return try client.blocking.fetch(request).map {
            PublisherTotal(publisher: $0.key, count: $0.values.0, sum: $0.values.1)
        }
    }

    func get(positions: [Int]) throws -> Int {
        let results = try client.blocking.results(of: Character.all)
        var sum = 0
        for position in positions { sum &+= try results[position].weight }
        return sum
    }

    func renameInSteps(_ names: [(key: Int, realName: String)]) throws {
        let first = WriteOperation.value(())
        let operation = names.reduce(first) { done, name in
            done.flatMap {
                .update(Character.self, key: name.key) { $0.set(\.realName, to: name.realName) }
            }
        }
        try client.blocking.run(operation)
    }

    func rename(_ names: [(key: Int, realName: String)]) throws {
        try client.blocking.write { transaction in
            for (key, realName) in names {
                try transaction.update(Character.self, key: key) {
                    $0.set(\.realName, to: realName)
                }
            }
        }
    }

    func renameTogether(_ names: [(key: Int, realName: String)]) throws {
        var next = names.makeIterator()
        try client.blocking.update(Character.self, keys: names.map(\.key)) { assignments, _ in
            if let name = next.next() { assignments.set(\.realName, to: name.realName) }
        }
    }

    func delete(_ keys: [Int]) throws -> Int {
        try client.blocking.delete(Character.self, keys: keys)
    }

    // The one call is for many already.
    func deleteTogether(_ keys: [Int]) throws -> Int {
        try delete(keys)
    }

    func commit(_ row: Character) async throws {
        try await client.insert(row)
    }

    func stream(limit: Int) async throws -> Int {
        var sum = 0
        for try await row in client.stream(Character.all.limit(limit)) { sum &+= row.weight }
        return sum
    }

    func copy(into other: any Contestant) throws {
        guard let other = other as? any ClientContestant else {
            throw BenchmarkError("a client is copied to a client")
        }
        try other.client.blocking.write { try $0.copy(Character.self, from: client) }
    }
}

import DBClientCore

func transactions(on client: any DBClient) async throws {
    // snippet: write-transaction
    let deleted = try await client.write { transaction in
        let heroes = try transaction.delete(Character.where { $0.publisher == 6 })
        let publishers = try transaction.delete(Publisher.self, keys: [6])
        return heroes + publishers
    }
    // end snippet
    // snippet: read-transaction
    let (characters, publishers) = try await client.read { transaction in
        (try transaction.count(Character.all), try transaction.count(Publisher.all))
    }
    // end snippet
    _ = (deleted, characters, publishers)
}

func savepoint(_ hero: Character, on client: any DBClient) async throws {
    // snippet: savepoint
    try await client.write { transaction in
        do {
            try transaction.write { attempt in
                try attempt.delete(hero)
                throw DBClientError(.invalidValue, "Not today.")
            }
        } catch {
            // The hero is still there, and the transaction goes on.
        }
        try transaction.upsert(hero)
    }
    // end snippet
}

func blocking(_ hero: Character, on client: any DBClient) throws {
    // snippet: blocking
    try client.blocking.insert(hero)
    let wasThere = try client.blocking.write { transaction in
        try transaction.delete(hero)
    }
    // end snippet
    _ = wasThere
}

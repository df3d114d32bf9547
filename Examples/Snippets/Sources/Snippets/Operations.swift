import DBClientCore

func operations(on client: any DBClient) async throws {
    // snippet: operation
    let rename = ReadOperation.find(Character.self, key: 1455)
        .map { $0?.realName ?? "unknown" }
        .flatMap { name in
            .update(Character.self, key: 1455) { $0.set(\.aliases, to: [name]) }
        }
    try await client.run(rename)
    // end snippet
    // snippet: operation-closure
    let reveal = WriteOperation { transaction in
        let hero = try transaction.run(.find(Character.self, key: 1455))
        let aliases = (hero?.aliases ?? []) + [hero?.realName ?? "unknown"]
        try transaction.run(
            .update(Character.self, key: 1455) { $0.set(\.aliases, to: aliases) }
        )
        return aliases
    }
    let aliases = try await client.run(reveal)
    // end snippet
    _ = aliases
}

func recovery(_ hero: Character, on client: any DBClient) async throws {
    // snippet: operation-recover
    let insertOrCount = WriteOperation.insert(hero)
        .map { _ in 1 }
        .recover { error in
            guard (error as? DBClientError)?.code == .duplicateKey else { return .fail(error) }
            return .value(0)
        }
    let inserted = try await client.run(.traverse([1, 2, 3]) { _ in insertOrCount })
    // end snippet
    _ = inserted
}

func anyOperation(isDryRun: Bool, on client: any DBClient) async throws {
    // snippet: operation-any
    let ajax = Character.where { $0.publisher == 6 }
    let operation =
        isDryRun
        ? AnyOperation(ReadOperation.count(ajax)) : AnyOperation(WriteOperation.delete(ajax))
    let count = try await client.run(operation)
    // end snippet
    _ = count
}

func selections(on client: any DBClient) async throws {
    // snippet: select
    let names = try await client.fetch(Character.all.select(\.identifier, \.name))
    for (identifier, name) in names { print(identifier, name) }
    // end snippet
    // snippet: group
    let perPublisher = Character.all
        .grouped(by: \.publisher)
        .having { $0.count > 10 }
        .select(.count, .min(\.firstAppearance.year))
    for (publisher, (count, first)) in try await client.fetch(perPublisher) {
        print(publisher, count, first ?? 0)
    }
    // end snippet
    // snippet: group-related
    let perStudio = Fighter.all.grouped { $0.studio.name }.select(.count)
    for (studio, count) in try await client.fetch(perStudio) { print(studio ?? "none", count) }
    // end snippet
}

func results(on client: any DBClient) async throws {
    // snippet: results
    let heroes = try await client.results(of: Character.all.sorted { $0.name })
    print(heroes.count)
    if heroes.count > 0 { print(try heroes[heroes.count - 1].name) }
    // end snippet
    // snippet: rows
    let rows = heroes.rows
    for row in rows.suffix(10) { print(try row.get().name) }
    // end snippet
}

func ready(on client: any DBClient) async throws {
    // snippet: ready
    let some = try await client.fetch(Character.with(keys: [1455, 1250]))
    let alike = Character.matching(.ironMan, fields: \.publisher, \.alignment)
    let second = try await client.fetch(alike.sorted { $0.name }.page(2, size: 20))
    try await client.delete(Character.stored(.ironMan))
    // end snippet
    _ = (some, second)
}

func dynamic(on client: any DBClient) async throws {
    // snippet: dynamic
    let catalog = try EntityCatalog([Character.self, Publisher.self])
    let heroes = try catalog.entity(named: "Character")
    let early = DynamicRequest(heroes)
        .filter(.field("firstAppearance_year", .less, 1950))
        .sorted(by: .init("name"))
    for row in try await client.fetch(early) { print(row.values) }
    try await client.update(heroes, key: [1455], set: ["realName": "Tony Stark"])
    // end snippet
    // snippet: dynamic-report
    let publishers = try catalog.entity(named: "Publisher")
    let perPublisher = DynamicRequest(heroes)
        .leftJoin(
            DynamicRequest(publishers),
            on: .field("Character.publisher", .equal, field: "Publisher.identifier")
        )
        .grouped(by: "Publisher.name")
        .select(.count, .min("Character.firstAppearance_year"))
        .having(.count, .greater, 1)
        .sorted(by: .function(.count, descending: true))
    for group in try await client.fetch(perPublisher) { print(group.keys, group.values) }
    // end snippet
}

func decorated(_ store: any DBClient) async throws {
    // snippet: decorators
    let rules: [ValidatingDBClient.Rule] = [
        .rule(Character.self) { character in
            guard !character.name.isEmpty else { throw DBClientError(.invalidValue, "No name.") }
        }
    ]
    let client: any DBClient = RetryingDBClient(ValidatingDBClient(store, rules: rules))
    // end snippet
    try await client.insert(Character.ironMan)
}

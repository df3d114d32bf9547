import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation

func fromGRDBOpening(at url: URL) throws -> [any DBClient] {
    // snippet: from-grdb-open
    let client = try SQLDBClient.sqlite(at: url)
    let inMemory = try SQLDBClient.sqlite(.inMemory)
    // end snippet
    return [client, inMemory]
}

func fromGRDBWriting(_ ironMan: Character, on client: any DBClient) async throws {
    // snippet: from-grdb-write
    try await client.write { transaction in
        try transaction.upsert(ironMan)
        try transaction.update(Character.self, key: 1455) { $0.set(\.realName, to: "Tony Stark") }
        try transaction.update(Character.where { $0.publisher == 6 }) { $0.set(\.publisher, to: 1) }
        try transaction.delete(Character.where { $0.alignment == .villain })
    }
    // end snippet
}

func fromGRDBFetching(on client: any DBClient) async throws {
    // snippet: from-grdb-fetch
    let request = Character.where { $0.firstAppearance.year < 1970 && $0.realName != nil }
        .sorted { [$0.publisher, $0.name.descending] }
        .limit(10)
    let (heroes, number) = try await client.read { transaction in
        (try transaction.fetch(request), try transaction.count(request))
    }
    let ironMan = try await client.find(Character.self, key: 1455)
    let names = try await client.fetch(request.select(\.name))
    // end snippet
    _ = (heroes, number, ironMan, names)
}

func fromGRDBAbsent(on client: any DBClient) async throws -> [Int] {
    // snippet: from-grdb-absent
    let others = Character.where { $0.realName != "Tony Stark" }
    let asInSQL = Character.where { $0.realName != nil && $0.realName != "Tony Stark" }
    // end snippet
    return [try await client.count(others), try await client.count(asInSQL)]
}

func fromGRDBObserving(_ client: any DBClient) async throws {
    // snippet: from-grdb-observe
    for try await change in client.observe(Character.where { $0.publisher == 1 }) {
        print(change.objects.count)
    }
    // end snippet
}

// snippet: from-grdb-dates
@Stored("hero") struct GRDBHero {
    @PrimaryKey(.generated) var id: Int = 0
    @StoredAs(.dateTime) var born: Date?  // 1970-01-02 00:00:01.789
    @StoredAs(.uppercaseText) var badge: UUID?  // databaseUUIDEncodingStrategy .uppercaseString
    @StoredAs(.secondsSince1970) var seen: Date?  // databaseDateEncodingStrategy .secondsSince1970
}
// end snippet

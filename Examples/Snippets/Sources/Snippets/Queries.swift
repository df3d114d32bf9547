import DBClientCore
import Foundation

func queries(on client: any DBClient) async throws {
    // snippet: query
    let request = Character.where {
        $0.publisher == 1 && $0.name.hasPrefix("Iron") && $0.firstAppearance.year < 1970
    }
    .sorted { [$0.firstAppearance.year.descending, $0.name] }
    .limit(20)
    let heroes = try await client.fetch(request)
    // end snippet
    _ = heroes
}

func pages(on client: any DBClient) async throws {
    // snippet: pages
    let request = Character.all.sorted { $0.name }.limit(50)
    var page = try await client.fetch(request)
    while let last = page.last {
        print(page.map(\.name))
        page = try await client.fetch(request.after(last))
    }
    // end snippet
}

func stream(on client: any DBClient) async throws {
    // snippet: stream
    for try await hero in client.stream(Character.where { $0.alignment == .hero }) {
        print(hero.name)
    }
    // end snippet
}

// snippet: own-query
enum CharacterQuery: FetchRequestConvertible {
    case of(publisher: Int)
    case named(String)

    var request: FetchRequest<Character> {
        switch self {
        case .of(let publisher): Character.where { $0.publisher == publisher }.sorted { $0.name }
        case .named(let name): Character.where { $0.name.equalsIgnoringCase(name) }
        }
    }
}
// end snippet

func ownQuery(on client: any DBClient) async throws {
    // snippet: own-query-use
    let heroes = try await client.fetch(CharacterQuery.named("iron man"))
    // end snippet
    _ = heroes
}

func predicate(on client: any DBClient) async throws {
    // snippet: predicate
    let request = try FetchRequest(#Predicate<Character> { $0.name.starts(with: "Iron") })
    // end snippet
    _ = try await client.fetch(request)
}

func fieldNames(on client: any DBClient) async throws {
    // snippet: field-names
    let request = try Character.all
        .filter(.field("publisher", .equal, 1))
        .sorted(by: [.field("name", descending: true)])
    // end snippet
    _ = try await client.fetch(request)
}

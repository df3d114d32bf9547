import DBClientCore
import Foundation

// snippet: searchable
/// A note, whose title counts three times as much as its body.
@Stored struct StickyNote {
    let id: Int
    @Searchable(weight: 3) var title: String
    @Searchable var body: String?
    var isDone: Bool
}
// end snippet

func searches(on client: any DBClient, typed: String) async throws {
    // snippet: search-matching
    let best = try await client.fetch(StickyNote.matching("iron man").limit(20))
    // end snippet
    // snippet: search-typed
    let query = SearchQuery(typed, asYouType: true)
    let suggested = try await client.fetch(StickyNote.matching(query).limit(10))
    // end snippet
    // snippet: search-condition
    let open = StickyNote.where { $0.matches("iron -man") && !$0.isDone }
    let titled = StickyNote.where { $0.title.matches("\"iron man\" OR ir*") }
    let elsewhere = Shop.matching("organic cafe", in: \.name)
    // end snippet
    // snippet: search-hits
    for hit in try await client.hits(StickyNote.matching("iron man").limit(20)) {
        print(hit.value.title, hit.score)
        for text in hit.texts {
            let snippet = text.snippet(words: 12)
            print(snippet.text, snippet.ranges.map { snippet.text[$0] })
        }
    }
    // end snippet
    // snippet: search-strict
    do {
        let strict = try SearchQuery(strict: typed)
        print(try await client.count(StickyNote.matching(strict)))
    } catch let error as DBClientError {
        // "A quote must have another that closes it; found one at character 6."
        print(error.message)
    }
    // end snippet
    // snippet: search-observe
    let changes = client.observe(StickyNote.matching("iron").limit(20))
    // end snippet
    _ = (best, suggested, open, titled, elsewhere, changes)
}

import DBClientTestSupport
import Testing

@testable import DBClientCore

@Suite("A query is read from any text")
struct SearchQueryTests {
    @Test(
        "A strict query says what must be, what was found and where",
        arguments: [
            ("iron \"man", "A quote must have another that closes it; found one at character 6."),
            ("(iron", "A parenthesis must have another that closes it; found one at character 1."),
            ("iron)", "A parenthesis must have another that opens it; found one at character 5."),
            ("iron OR", "An operator must have a word behind it; found one at character 6."),
            ("OR iron", "An operator must have a word before it; found one at character 1."),
            ("iron AND", "An operator must have a word behind it; found one at character 6."),
            ("AND iron", "An operator must have a word before it; found one at character 1."),
            ("iron NOT", "An operator must have a word behind it; found one at character 6."),
            ("iron ()", "Parentheses must have a word inside; found none at character 6."),
            ("iron !!", "A search must be made of words; found a sign at character 6."),
            (
                "title: iron",
                "A field must be followed by a word or a phrase; found one at character 1."
            ),
            (
                "\"iron man\"~x",
                "A `~` must be followed by a number of words; found one at character 11."
            ),
            ("", "A search must have a word; found none at character 1."),
            (
                "e\u{301}e\u{301} (",
                "A parenthesis must have another that closes it; found one at character 4."
            ),
        ]
    )
    func mistakes(_ text: String, _ message: String) throws {
        let error = #expect(throws: DBClientError.self) { try SearchQuery(strict: text) }
        #expect(error?.message == message)
        #expect(error?.code == .invalidRequest)
        _ = SearchQuery(text)
    }

    @Test("A strict query without mistakes is the same as any other")
    func strict() throws {
        let texts = [
            "iron man", "\"iron man\"", "ir* -man", "(a OR b) c", "title:\"a b\"~3", "NOT a",
            "a & b | c",
            "-(a b)", "e-mail",
        ]
        for text in texts {
            let query = SearchQuery(text)
            let strict = try SearchQuery(strict: text)
            #expect(strict.tree == query.tree)
            #expect(strict.terms == query.terms)
        }
    }

    @Test("A query has at most so many words")
    func words() throws {
        let most = Array(repeating: "a", count: SearchQuery.maximumWords).joined(separator: " ")
        #expect(try SearchQuery(strict: most).terms.count == SearchQuery.maximumWords)
        #expect(SearchQuery(most + " b").terms.count == SearchQuery.maximumWords)
        #expect(throws: DBClientError.self) { try SearchQuery(strict: most + " b") }
    }

    @Test(
        "A query without words is empty",
        arguments: ["", " ", "!", "\"\"", "()", "-", "\0", "AND", "*"]
    )
    func empty(_ text: String) {
        #expect(SearchQuery(text).isEmpty)
        #expect(SearchQuery(text, asYouType: true).isEmpty)
    }

    @Test(
        "Any signs are read, and the plan comes back from its constant",
        arguments: UInt64(1)...40
    )
    func anySigns(_ seed: UInt64) throws {
        let signs = [
            "\"", "(", ")", "-", "|", "&", "~", "*", ":", " ", " ", "AND", "OR", "NOT", "a",
            "title", "é", "漢字",
            "\u{201C}", "3", "\0", "\u{301}", "e-mail", "\t", "a:", "\"a b\"~2", "\u{1F600}",
        ]
        let random = RandomSource(seed: seed)
        for _ in 0..<200 {
            let text = random.list(upTo: 24) { signs[$0.below(signs.count)] }.joined()
            let query = SearchQuery(text, asYouType: random.chance(50))
            let plan = try query.plan(searching: ["title", "body"], weights: [2, 1], of: "Note")
            guard case .text(var constant) = try plan.storageValue else {
                Issue.record("\(text) has no constant")
                continue
            }
            let read = constant.withUTF8 { SearchPlan(UnsafeRawBufferPointer($0)) }
            #expect(read == plan, "\(text)")
            // What is read without mistakes is read alike.
            if let strict = try? SearchQuery(strict: text) {
                #expect(strict.terms == SearchQuery(text).terms)
                #expect(strict.tree == SearchQuery(text).tree)
                #expect(!strict.isEmpty)
            }
        }
    }

    @Test(
        "What is no plan is none",
        arguments: [
            "", "{}", "[]", "null", "{\"tree\":{\"term\":{\"_0\":3}},\"terms\":[],\"weights\":[1]}",
        ]
    )
    func noPlan(_ text: String) {
        var text = text
        #expect(text.withUTF8 { SearchPlan(UnsafeRawBufferPointer($0)) } == nil)
    }
}

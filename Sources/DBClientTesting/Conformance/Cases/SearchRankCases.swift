import DBClientCore
import DBClientTestSupport
import Foundation

/// The scores of searches, their order, and where words are.
enum SearchRankCases {
    static let all: [ConformanceCase] = [
        promise(.search, "values are sorted by their score, equal ones by key") { client in
            try await client.insert([
                Memo(1, "steel", "iron and a good deal of other words about it"),
                Memo(2, "steel", "iron"),
                Memo(3, "iron", "steel"), Memo(4, "brass"), Memo(5, "steel", "iron"),
                Memo(6, "steel", "iron iron"), Memo(7, "", nil),
            ])
            let request = Memo.matching("iron")
            try expectEqual(try await client.fetch(request).map(\.id), [3, 6, 2, 5, 1])
            try expectEqual(try await client.fetch(request.limit(2)).map(\.id), [3, 6])
            try expectEqual(
                try await client.fetch(request.offset(1).limit(3)).map(\.id),
                [6, 2, 5]
            )
            try expectEqual(try await client.fetchOne(request)?.id, 3)
            try expectEqual(try await client.fetch(request.limit(0)).map(\.id), [])
            try expectEqual(try await client.count(request), 5)
            try expectEqual(try await client.count(request.limit(2)), 2)
            try expectEqual(try await client.exists(request), true)
            try expectEqual(try await client.fetch(request.select(\.id)), [3, 6, 2, 5, 1])
            let some = request.filter { $0.id != 6 }
            try expectEqual(try await client.fetch(some).map(\.id), [3, 2, 5, 1])
            let body = Memo.matching("iron", in: \.body)
            try expectEqual(try await client.fetch(body).map(\.id), [6, 2, 5, 1])
            let otherwise = request.sorted { $0.id.descending }
            try expectEqual(try await client.fetch(otherwise).map(\.id), [6, 5, 3, 2, 1])
            let counted = try await client.run(.hits(request.limit(1)))
            try expectEqual(counted.map(\.value.id), [3])
            _ = try await client.explain(request)
            try expectEqual(try await client.delete(request.limit(2)), 2)
            try expectEqual(try await client.fetch(request).map(\.id), [2, 5, 1])
        },
        promise(.search, "a score is that of BM25 over all values of the model") { client in
            try await client.insert([
                Memo(1, "iron", "man man"), Memo(2, "", "iron"), Memo(3, "other words", "here"),
                Memo(4, "", nil), Memo(5, "...", "!"),
            ])
            // Three values have words, seven in all; two have `iron` and one has `man`.
            let average = 7.0 / 3
            func part(_ count: Double, _ frequency: Double, _ length: Double) -> Double {
                let weight = log(1 + (3 - count + 0.5) / (count + 0.5))
                let norm = 1.2 * ((1 - 0.75) + 0.75 * (length / average))
                return weight * ((frequency * 2.2) / (frequency + norm))
            }
            let expected = [
                (1, part(2, 3, 3) + part(1, 2, 3)), (2, part(2, 1, 1)),
            ]
            let hits = try await client.hits(Memo.matching("iron OR man OR nothing OR iron -words"))
            try expectEqual(hits.map(\.value.id), expected.map(\.0))
            for (hit, (_, score)) in zip(hits, expected) {
                try expect(abs(hit.score - score) < 1e-12, "\(hit.score) is not \(score)")
            }
            // What else must hold changes no score, nor does another order or a page.
            let others = try await client.hits(
                Memo.matching("iron OR man OR nothing OR iron -words").filter { $0.id == 2 }
            )
            try expectEqual(others.map(\.score.bitPattern), [hits[1].score.bitPattern])
            let sorted = try await client.hits(
                Memo.matching("iron OR man OR nothing OR iron -words").sorted { $0.id.descending }
                    .limit(1)
            )
            try expectEqual(sorted.map(\.score.bitPattern), [hits[1].score.bitPattern])
            let none = try await client.hits(Memo.matching("-iron"))
            try expectEqual(none.map(\.value.id), [3, 4, 5])
            try expectEqual(none.map(\.score), [0, 0, 0])
        },
        promise(.search, "hits tell where the words are, and the part of a text about them") {
            client in
            let long = (1...30).map { "word\($0)" }.joined(separator: " ")
            try await client.insert([
                Memo(1, "The Iron  Man’s café", "He's an iron-man, the IRON man", isDone: true),
                Memo(2, "x", long + ", iron and the man. " + long),
                Memo(3, "iron man", nil, origin: MemoOrigin(place: "Iron Man Street", page: 2)),
            ])
            let hits = try await client.hits(
                Memo.matching("\"iron man\" OR cafe OR \"man the\"~1 -nothing").sorted { $0.id }
            )
            func shown(_ hit: SearchHit<Memo>) -> [String] {
                hit.texts.map { text in
                    "\(text.field): "
                        + text.ranges.map { String(text.text[$0]) }.joined(separator: "|")
                }
            }
            try expectEqual(hits.map(\.value.id), [1, 2, 3])
            try expectEqual(
                shown(hits[0]),
                ["title: café", "body: iron|man|the|IRON|man"]
            )
            try expectEqual(shown(hits[1]), ["body: the|man"])
            try expectEqual(
                shown(hits[2]),
                ["title: iron|man", "origin_place: Iron|Man"]
            )
            let snippet = hits[1].texts[0].snippet(words: 5)
            try expectEqual(snippet.text, "…word30, iron and the man…")
            try expectEqual(snippet.ranges.map { String(snippet.text[$0]) }, ["the", "man"])
            let whole = hits[2].texts[0]
            try expectEqual(whole.snippet(words: 2), whole)
            let one = hits[0].texts[1].snippet(words: 1, ellipsis: "[..]")
            try expectEqual(one.text, "[..]iron[..]")
            try expectEqual(one.ranges.map { String(one.text[$0]) }, ["iron"])
        },
        promise(.search, "a transaction searches what it has written") { client in
            try await client.insert([Memo(1, "iron"), Memo(2, "steel")])
            let found = try await client.write { transaction in
                try transaction.insert(Memo(3, "iron iron"))
                try transaction.update(Memo.self, key: 2) { $0.set(\.body, to: "of iron") }
                return try transaction.hits(Memo.matching("iron")).map(\.value.id)
            }
            try expectEqual(found, [3, 1, 2])
            let read = try await client.read { transaction in
                (
                    try transaction.fetch(Memo.matching("iron").limit(2)).map(\.id),
                    try transaction.count(Memo.where { $0.matches("steel") })
                )
            }
            try expectEqual(read.0, [3, 1])
            try expectEqual(read.1, 1)
        },
        promise(.search, "the rank of a join or of a slice is refused") { client in
            try await client.insert([Memo(1, "iron"), Memo(2, "steel"), Memo(3, "iron iron")])
            let ranked = Memo.matching("iron")
            let refused: [@Sendable () async throws -> Void] = [
                {
                    let joined = ranked.join(Memo.self) { $0.id < $1.id }
                    _ = try await client.fetch(joined.select { ($0.id, $1.id) })
                },
                {
                    let inside = ranked.limit(1).select(\.id)
                    _ = try await client.fetch(Memo.where { $0.id.isIn(inside) })
                },
                { _ = try await client.fetch(ranked.limit(1).union(Memo.where { $0.id == 2 })) },
                { _ = try await client.fetch(ranked.limit(1).asSource().filter { $0.id > 1 }) },
            ]
            for (position, call) in refused.enumerated() {
                do { try await expectError(.invalidRequest, call) } catch {
                    throw ConformanceFailure("call \(position): \(error)")
                }
            }
            let inside = ranked.select(\.id)
            let found = Memo.where { $0.id.isIn(inside) }
            try expectEqual(try await client.fetch(found).map(\.id), [1, 3])
            let others = ranked.union(Memo.where { $0.matches("steel") })
            try expectEqual(try await client.count(others), 3)
        },
        observing("an observed search follows the scores of all values") { client in
            try await client.insert([Memo(1, "iron words of text"), Memo(2, "steel", "iron")])
            let best = Memo.matching("iron").limit(1)
            var observer = try await Observer(client.observe(best))
            try expectEqual(try await client.fetch(best).map(\.id), [1])
            try await client.update(Memo.self, key: 2) { $0.set(\.title, to: "iron iron") }
            try await observer.settle { try await client.fetch(best) }
            try expectEqual(try await client.fetch(best).map(\.id), [2])
            // A word in values that are not found weighs less.
            let either = Memo.matching("iron OR text").filter { $0.id < 3 }
            var scored = try await Observer(client.observe(either))
            try expectEqual(try await client.fetch(either).map(\.id), [1, 2])
            try await client.insert((10..<60).map { Memo($0, "text") })
            try await scored.settle { try await client.fetch(either) }
            try expectEqual(try await client.fetch(either).map(\.id), [2, 1])
        },
        observing("a search that is a condition is followed change by change") { client in
            try await client.insert([Memo(1, "iron text"), Memo(2, "steel", "iron")])
            let request = Memo.where { $0.matches("iron -text") }
            var observer = try await Observer(client.observe(request))
            try await client.insert([Memo(3, "iron"), Memo(4, "iron text"), Memo(5, "brass")])
            try expectEqual(try await observer.update().insertions, [1])
            try await client.update(Memo.self, key: 2) { $0.set(\.body, to: "iron text") }
            try expectEqual(try await observer.update().deletions, [0])
            try await client.update(Memo.self, key: 1) { $0.set(\.title, to: "Iron") }
            try expectEqual(try await observer.update().insertions, [0])
            try await observer.settle { try await client.fetch(request) }
            try expectEqual(try await client.fetch(request).map(\.id), [1, 3])
        },
    ]
}

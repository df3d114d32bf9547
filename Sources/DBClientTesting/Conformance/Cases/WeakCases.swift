import DBClientCore
import Foundation

/// What is held weakly and is not there: conditions say what is read.
enum WeakCases {
    static let all: [ConformanceCase] = [
        promise(.relationships, "what is held weakly and is gone counts for nothing") { client in
            let (ink, pen) = (Skill("ink", 1), Skill("pen", 2))
            try await client.insert([
                Poster(1, studio: Studio(1, "a"), skills: [ink, pen, ink], tags: [ink]),
                Poster(2, studio: Studio(2, "b"), skills: [pen], tags: [ink, pen]),
                Poster(3),
            ])
            try await client.delete(Studio.self, keys: [1])
            try await client.delete(Skill.self, keys: ["ink"])
            let found = [
                Poster(1, skills: [pen]),
                Poster(2, studio: Studio(2, "b"), skills: [pen], tags: [pen]),
                Poster(3),
            ]
            try expectEqual(try await client.findAll(Poster.self), found)
            func check(
                _ condition: (Fields<Poster>) -> Condition<Poster>,
                line: Int = #line,
                _ holds: (Poster) -> Bool
            ) async throws {
                let request = Poster.where(condition)
                let expected = found.filter(holds)
                try expectEqual(try await client.fetch(request), expected, line: line)
                try expectEqual(try await client.count(request), expected.count, line: line)
            }
            try await check({ $0.studio == nil }) { $0.studio == nil }
            try await check({ $0.studio != nil }) { $0.studio != nil }
            try await check({ $0.studio.name == nil }) { $0.studio?.name == nil }
            let all = Poster.all
            try expectEqual(
                try await client.fetch(all.filter(#Predicate { $0.studio == nil })).map(\.id),
                [1, 3]
            )
            try expectEqual(
                try await client.fetch(all.filter(#Predicate { $0.studio != nil })).map(\.id),
                [2]
            )
            try expectErrorInside(.unsupported) {
                _ = try all.filter(#Predicate { $0.studio?.name == "b" })
            }
            for studio in [Studio(1, "a"), Studio(2, "b")] {
                try await check({ $0.studio == studio }) { $0.studio == studio }
                try await check({ $0.studio != studio }) { $0.studio != studio }
            }
            for number in 0...3 {
                try await check({ $0.skills.count == number }) { $0.skills.count == number }
                try await check({ $0.tags.count > number }) { $0.tags.count > number }
            }
            try await check({ $0.skills.isEmpty }) { $0.skills.isEmpty }
            try await check({ !$0.tags.isEmpty }) { !$0.tags.isEmpty }
            for skill in [ink, pen] {
                try await check({ $0.skills.contains(skill) }) { $0.skills.contains(skill) }
                try await check({ !$0.tags.contains(skill) }) { !$0.tags.contains(skill) }
            }
            try await check({ $0.skills.allSatisfy { $0.level > 1 } }) { _ in true }
            try await check({ $0.skills.contains { $0.level < 9 } }) { !$0.skills.isEmpty }
        },
        promise(.relationships, "a weak reference is a key, whatever it names") { client in
            try await client.insert(Artist(1, rival: 9))
            try await client.insert(Exhibit(1, lent: [5, 6]))
            let rival = Reference<Artist>(9)
            try expectEqual(try await client.count(Artist.where { $0.rival == rival }), 1)
            try expectEqual(try await client.count(Artist.where { $0.rival == nil }), 0)
            try expectEqual(try await client.count(Exhibit.where { $0.lent.count == 2 }), 1)
            try expectEqual(
                try await client.count(Exhibit.where { $0.lent.contains(Reference(5)) }),
                1
            )
        },
    ]
}

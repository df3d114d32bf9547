import DBClientCore
import Foundation

/// Keys and indexes of many fields.
enum WidthCases {
    static let all: [ConformanceCase] = [
        promise(.limits, "an index of 32 fields is of any width") { client in
            func word(_ number: Int) -> UUID {
                UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
            }
            let first = (0..<30).map { word($0) }
            let ends = [[3, 1], [3, 2], [2, 9], [3, 3], [2, 1]]
            let values = ends.enumerated().map { Wide($0, first + $1.map { word($0) }) }
            try await client.insert(values)
            let alike = first.indices.dropFirst().reduce(
                Wide.where { $0[dynamicMember: \.[0]] == word(0) }
            ) {
                request,
                index in
                request.filter { $0[dynamicMember: \.[index]] == word(index) }
            }
            try expectEqual(try await client.count(alike), 5)
            let threes = alike.filter { $0[dynamicMember: \.[30]] == word(3) }
            for bound in 0...4 {
                func ids(_ matches: (Int) -> Bool) -> [Int] {
                    values.filter { $0[30] == word(3) && matches(ends[$0.id][1]) }.map(\.id)
                }
                let checks: [(FetchRequest<Wide>, [Int])] = [
                    (
                        threes.filter { $0[dynamicMember: \.[31]] == word(bound) },
                        ids { $0 == bound }
                    ),
                    (threes.filter { $0[dynamicMember: \.[31]] > word(bound) }, ids { $0 > bound }),
                    (
                        threes.filter { $0[dynamicMember: \.[31]] <= word(bound) },
                        ids { $0 <= bound }
                    ),
                ]
                for (request, expected) in checks {
                    try expectEqual(try await client.count(request), expected.count)
                    try expectEqual(try await client.fetch(request).map(\.id), expected)
                }
            }
            let sorted = alike.sorted {
                [$0[dynamicMember: \.[30]].ascending, $0[dynamicMember: \.[31]].descending]
            }
            try expectEqual(try await client.fetch(sorted).map(\.id), [2, 4, 3, 1, 0])
            try await client.update(Wide(0, first + [word(1), word(1)]))
            try expectEqual(try await client.count(threes), 2)
            try await client.delete(threes)
            try expectEqual(try await client.findAll(Wide.self).map(\.id), [0, 2, 4])
        },
        promise(.limits, "an entity has at most 1,500 fields") { client in
            let values = (1...3).map { id in Broad(id) { $0 % (id + 1) == 0 } }
            try await client.insert(values)
            try expectEqual(try await client.findAll(Broad.self), values)
            try await client.update(Broad(2) { $0 == 1_498 })
            let last = Broad.where { $0[dynamicMember: \.[1_498]] == true }
            try expectEqual(try await client.fetch(last).map(\.id), [1, 2])
            try await expectError(.invalidSchema) {
                try await client.insert(TooBroad(1) { _ in true })
            }
            try await expectError(.invalidSchema) { _ = try await client.count(TooBroad.all) }
        },
        promise(.limits, "a key of many fields has a length for all of them") { client in
            let fitting = WideKeyed(String(repeating: "x", count: 398))
            try await client.insert(fitting)
            try expectEqual(
                try await client.find(WideKeyed.self, key: fitting.primaryKey),
                fitting
            )
            try expectEqual(try await client.fetch(WideKeyed.all.sorted { $0.text }), [fitting])
            let long = WideKeyed(String(repeating: "x", count: 399))
            let error = try await expectError(.invalidValue) { try await client.insert(long) }
            try expectEqual(error.entity, "WideKeyed")
            try await expectError(.invalidValue) {
                _ = try await client.find(WideKeyed.self, key: long.primaryKey)
            }
            try expectEqual(try await client.findAll(WideKeyed.self), [fitting])
        },
    ]
}

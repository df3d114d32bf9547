import DBClientCore
import DBClientTestSupport
import Foundation

/// Parts of JSON drawn at random, against a plain evaluation of the values that shares nothing with the library.
enum PartProbeCases {
    static let all: [ConformanceCase] = [
        promise(.parts, "random parts are as the values have them") { client in
            for seed in HostileText.seeds {
                let random = RandomSource(seed: seed &+ 30)
                let leaflets = (1...40).map { Leaflet($0, tree: random.tree(depth: 4)) }
                try await client.deleteAll(Leaflet.self)
                try await client.insert(leaflets)
                do {
                    for _ in 0..<25 {
                        let steps = random.path(in: leaflets[random.below(40)].tree)
                        try await check(client, leaflets, steps, random, random.integer())
                        try await check(client, leaflets, steps, random, random.real())
                        try await check(client, leaflets, steps, random, random.text())
                        try await check(client, leaflets, steps, random, random.chance(50))
                    }
                } catch {
                    throw ConformanceFailure("DBCLIENT_SEED=\(seed): \(error)")
                }
            }
        }
    ]

    /// Checks the parts of a type as conditions, as keys of a sort and as selected values.
    private static func check<Part: PlainPart>(
        _ client: any DBClient,
        _ leaflets: [Leaflet],
        _ steps: [PathStep],
        _ random: RandomSource,
        _ constant: Part
    ) async throws {
        let parts = leaflets.map { Part(plain: $0.tree.part(at: steps[...])) }
        // A value that is there is likelier to be met than a made-up one.
        let constant = random.chance(60) ? parts.compactMap { $0 }.first ?? constant : constant
        let name = "\(steps) as \(Part.self)"
        let selected = try await client.fetch(
            Leaflet.all.select { ($0.id, $0.tree.path(steps, as: Part.self)) }
        )
        try expect(
            zip(selected, parts).allSatisfy { Part.order($0.1, $1) == 0 },
            "\(name): \(selected.map(\.1)), not \(parts)"
        )
        let sorted = leaflets.indices.sorted { left, right in
            let order = Part.order(parts[left], parts[right])
            return order == 0 ? left < right : order < 0
        }
        let request = Leaflet.all.sorted { $0.tree.path(steps, as: Part.self) }
        try expectEqual(
            try await client.fetch(request).map(\.id),
            sorted.map { leaflets[$0].id },
            "\(name) sorted:"
        )
        let tests: [(String, FetchRequest<Leaflet>, (Part?) -> Bool)] = [
            (
                "==", Leaflet.where { $0.tree.path(steps, as: Part.self) == constant },
                { Part.order($0, constant) == 0 }
            ),
            (
                "!=", Leaflet.where { $0.tree.path(steps, as: Part.self) != constant },
                { Part.order($0, constant) != 0 }
            ),
            ("nil", Leaflet.where { $0.tree.path(steps, as: Part.self) == nil }, { $0 == nil }),
            (
                "not nil", Leaflet.where { !($0.tree.path(steps, as: Part.self) == nil) },
                { $0 != nil }
            ),
        ]
        for (test, request, holds) in tests {
            let expected = zip(leaflets, parts).filter { holds($1) }.map(\.0.id)
            let found = try await client.fetch(request).map(\.id)
            try expectEqual(found, expected, "\(name) \(test) \(constant):")
        }
    }
}

/// A type that a part of JSON is read as, by its meaning alone.
private protocol PlainPart: ExpressionValue, Equatable where Present == Self {
    init?(plain tree: JSONTree?)
    /// The order of two values: negative, zero or positive; nil is first.
    static func order(_ left: Self?, _ right: Self?) -> Int
}

private func comparing<Value: Comparable>(_ left: Value?, _ right: Value?) -> Int {
    guard let left, let right else { return (left == nil ? 0 : 1) - (right == nil ? 0 : 1) }
    return left < right ? -1 : left > right ? 1 : 0
}

extension Int: PlainPart {
    fileprivate init?(plain tree: JSONTree?) {
        switch tree {
        case .integer(let value): self = Int(value)
        case .real(let value):
            guard let whole = Int(exactly: value) else { return nil }
            self = whole
        default: return nil
        }
    }

    fileprivate static func order(_ left: Int?, _ right: Int?) -> Int { comparing(left, right) }
}

extension Double: PlainPart {
    fileprivate init?(plain tree: JSONTree?) {
        switch tree {
        case .integer(let value): self = Double(value)
        case .real(let value): self = value
        default: return nil
        }
    }

    fileprivate static func order(_ left: Double?, _ right: Double?) -> Int {
        comparing(left, right)
    }
}

extension String: PlainPart {
    fileprivate init?(plain tree: JSONTree?) {
        guard case .text(let text) = tree else { return nil }
        self = text
    }

    fileprivate static func order(_ left: String?, _ right: String?) -> Int {
        guard let left, let right else { return comparing(left, right) }
        return OracleText.order(Array(left.utf8), Array(right.utf8))
    }
}

extension Bool: PlainPart {
    fileprivate init?(plain tree: JSONTree?) {
        guard case .bool(let value) = tree else { return nil }
        self = value
    }

    fileprivate static func order(_ left: Bool?, _ right: Bool?) -> Int {
        comparing(left.map { $0 ? 1 : 0 }, right.map { $0 ? 1 : 0 })
    }
}

extension JSONTree {
    /// The part that a path leads to, nil where it leads nowhere.
    fileprivate func part(at steps: ArraySlice<PathStep>) -> JSONTree? {
        guard let step = steps.first else { return self }
        switch (self, step) {
        case (.object(let members), .key(let key)):
            return members.first { $0.key.utf8.elementsEqual(key.utf8) }?
                .value.part(at: steps.dropFirst())
        case (.list(let elements), .index(let index)):
            guard index < elements.count else { return nil }
            return elements[index].part(at: steps.dropFirst())
        default: return nil
        }
    }
}

extension RandomSource {
    private static let keys = ["a", "b", "é", "\"", "\\", "a.b", "0", "", "$", "[0]", "a\nb", "/"]

    fileprivate func tree(depth: Int) -> JSONTree {
        switch below(depth > 0 ? 12 : 6) {
        case 0: .null
        case 1: .bool(chance(50))
        case 2: .integer(Int64(integer()))
        case 3: .real(real())
        case 4, 5: .text(text())
        case 6, 7: .list((0..<below(4)).map { _ in tree(depth: depth - 1) })
        default:
            .object(
                Dictionary(
                    (0..<below(5)).map { _ in
                        (Self.keys[below(Self.keys.count)], tree(depth: depth - 1))
                    },
                    uniquingKeysWith: { first, _ in first }
                )
            )
        }
    }

    /// A path that leads somewhere more often than not.
    fileprivate func path(in tree: JSONTree) -> [PathStep] {
        if chance(8) { return chance(50) ? [.index(below(3))] : [.key(Self.keys[below(3)])] }
        switch tree {
        case .list(let elements) where !elements.isEmpty:
            let index = below(elements.count)
            return [.index(index)] + path(in: elements[index])
        case .object(let members) where !members.isEmpty:
            let key = members.keys.sorted()[below(members.count)]
            return [.key(key)] + path(in: members[key] ?? .null)
        default: return []
        }
    }

    fileprivate func integer() -> Int {
        pick(0, 1, -1, 7, .max, .min, 1 << 53, 1 << 53 + 1, 1_000_000_000_000)
    }

    fileprivate func real() -> Double {
        pick(
            0,
            0.5,
            -0.1,
            1,
            -7,
            1e15,
            1e100,
            -1e300,
            .leastNonzeroMagnitude,
            0.1 + 0.2,
            9_007_199_254_740_992,
            1e19
        )
    }

    fileprivate func text() -> String {
        chance(50) ? HostileText.text(self) : Self.keys[below(Self.keys.count)]
    }
}

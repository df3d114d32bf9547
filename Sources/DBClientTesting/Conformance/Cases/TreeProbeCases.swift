import DBClientCore
import DBClientTestSupport

/// Trees and graphs drawn at random, against an evaluation over arrays that shares nothing with the library: it relaxes
/// depths until none gets smaller, sorts ways to have the depth-first order, and closes the relation to find circles.
enum TreeProbeCases {
    static let all: [ConformanceCase] = [
        promise(.trees, "random trees and graphs are as an evaluation over arrays has them") {
            client in
            let random = RandomSource(seed: 41)
            for round in 0..<8 {
                let branches = random.branches(isTree: round % 3 == 0)
                try await client.deleteAll(Bough.self)
                try await client.insert(branches)
                for _ in 0..<25 {
                    try await compare(client, branches, Options(random))
                }
            }
        }
    ]

    /// What a random request asks for.
    private struct Options {
        let way: Int
        let isUpwards: Bool
        let starts: [Int]
        let includesStart: Bool
        let depth: Int?
        let name: String?
        let prunedName: String?
        let sort: Int
        let isDeep: Bool
        let limit: Int?
        let offset: Int
        let refusesCircles: Bool

        init(_ random: RandomSource) {
            way = random.below(4)
            isUpwards = random.chance(40)
            starts = [1 + random.below(9)] + random.list(upTo: 2) { 1 + $0.below(14) }
            includesStart = random.chance(50)
            depth = random.chance(30) ? random.below(4) : nil
            name = random.chance(30) ? random.pick("a", "b", "c") : nil
            prunedName = random.chance(30) ? random.pick("a", "b", "c") : nil
            sort = random.below(4)
            isDeep = random.chance(50)
            limit = random.chance(30) ? random.below(5) : nil
            offset = random.chance(20) ? random.below(3) : 0
            refusesCircles = random.chance(25)
        }

        var request: TreeRequest<Bough> {
            var tree = way(isUpwards)
            if includesStart { tree = tree.includingStart() }
            if let depth { tree = tree.depth(atMost: depth) }
            if let name { tree = tree.filter { $0.name != name } }
            if let prunedName { tree = tree.pruned { $0.name == prunedName } }
            switch sort {
            case 1: tree = tree.sorted { $0.name }
            case 2: tree = tree.sorted { $0.rank.descending }
            case 3: tree = tree.sorted { [$0.rank, $0.name.descending] }
            default: break
            }
            if isDeep { tree = tree.order(.depthFirst) }
            if refusesCircles { tree = tree.refusingCircles() }
            return tree.limit(limit).offset(offset)
        }

        private func way(_ isUpwards: Bool) -> TreeRequest<Bough> {
            switch (way, isUpwards) {
            case (0, false): Bough.descendants(of: starts, through: \.parent)
            case (1, false): Bough.descendants(of: starts, through: \.parentID)
            case (2, false): Bough.descendants(of: starts, through: \.looseID)
            case (0, true): Bough.ancestors(of: starts, through: \.parent)
            case (1, true): Bough.ancestors(of: starts, through: \.parentID)
            case (2, true): Bough.ancestors(of: starts, through: \.looseID)
            case (_, false): Bough.descendants(of: starts, through: \.children)
            case (_, true): Bough.ancestors(of: starts, through: \.children)
            }
        }

        /// Whether one branch leads to another.
        func leads(from branch: Bough, to other: Bough) -> Bool {
            let (above, below) = isUpwards ? (other, branch) : (branch, other)
            if way == 3 { return above.children.keys.contains(below.id) }
            return below.parentID == above.id
        }

        /// Whether one branch stands before another of the same depth.
        func precedes(_ left: Bough, _ right: Bough) -> Bool {
            let ranks = (left.rank ?? .min, right.rank ?? .min)
            switch sort {
            case 1 where left.name != right.name: return left.name < right.name
            case 2 where ranks.0 != ranks.1: return ranks.0 > ranks.1
            case 3 where ranks.0 != ranks.1: return ranks.0 < ranks.1
            case 3 where left.name != right.name: return left.name > right.name
            default: return left.id < right.id
            }
        }
    }

    private static func compare(
        _ client: any DBClient,
        _ branches: [Bough],
        _ options: Options
    ) async throws {
        let walked = Walked(branches, options)
        let tree = options.request
        if options.refusesCircles, !walked.circular.isEmpty {
            let error = try await expectError(.constraintViolation) {
                _ = try await client.fetch(tree)
            }
            try expect(
                walked.circular.contains { "\($0)" == error.key },
                "\(error.key ?? "no key") is in no circle"
            )
            return
        }
        let expected = walked.lines
        let found = try await client.fetch(tree.withPaths())
        try expectEqual(
            found.map { "\($0.model.id) \($0.depth) \($0.path ?? [])" },
            expected,
            "\(options):"
        )
        try expectEqual(found.map(\.model), walked.models)
        try expectEqual(
            try await client.fetch(tree).map { "\($0.model.id) \($0.depth)" },
            found.map { "\($0.model.id) \($0.depth)" }
        )
        try expectEqual(try await client.count(tree), expected.count)
    }

    /// What a request finds, by arrays.
    private struct Walked {
        var models: [Bough] = []
        var lines: [String] = []
        /// The branches that lead back to themselves.
        var circular: [Int] = []

        init(_ branches: [Bough], _ options: Options) {
            // The depths, until none gets smaller.
            var depths: [Int: Int] = [:]
            for branch in branches where options.starts.contains(branch.id) {
                depths[branch.id] = 0
            }
            func passes(_ branch: Bough) -> Bool {
                options.prunedName == nil || branch.name != options.prunedName
                    || options.starts.contains(branch.id)
            }
            var isChanged = true
            while isChanged {
                isChanged = false
                for branch in branches {
                    guard let depth = depths[branch.id] else { continue }
                    for other in branches
                    where options.leads(from: branch, to: other) && passes(other) {
                        if depth + 1 < depths[other.id] ?? .max {
                            depths[other.id] = depth + 1
                            isChanged = true
                        }
                    }
                }
            }
            depths = depths.filter { $0.value <= options.depth ?? .max }
            let order = branches.filter { depths[$0.id] != nil }
                .sorted { left, right in
                    let (depth, other) = (depths[left.id] ?? 0, depths[right.id] ?? 0)
                    return depth != other ? depth < other : options.precedes(left, right)
                }
            close(order, options)
            // The way to each, by places in breadth-first order.
            var ways: [Int: [Int]] = [:]
            for (place, branch) in order.enumerated() {
                let depth = depths[branch.id] ?? 0
                let before = order.first {
                    depths[$0.id] == depth - 1 && options.leads(from: $0, to: branch)
                }
                ways[branch.id] = (before.flatMap { ways[$0.id] } ?? []) + [place]
            }
            let sorted =
                options.isDeep
                ? order.sorted { (ways[$0.id] ?? []).lexicographicallyPrecedes(ways[$1.id] ?? []) }
                : order
            let wanted = sorted.filter {
                (options.includesStart || depths[$0.id] != 0)
                    && (options.name == nil || $0.name != options.name)
            }
            models = Array(wanted.dropFirst(options.offset).prefix(options.limit ?? wanted.count))
            lines = models.map { branch in
                let path = (ways[branch.id] ?? []).map { order[$0].id }
                return "\(branch.id) \(depths[branch.id] ?? -1) \(path)"
            }
        }

        private mutating func close(_ order: [Bough], _ options: Options) {
            var leads = order.map { from in order.map { options.leads(from: from, to: $0) } }
            for middle in order.indices {
                for from in order.indices where leads[from][middle] {
                    for to in order.indices where leads[middle][to] { leads[from][to] = true }
                }
            }
            circular = order.indices.filter { leads[$0][$0] }.map { order[$0].id }
        }
    }
}

extension RandomSource {
    /// Draws branches of which each has a parent that comes before it, or any.
    fileprivate func branches(isTree: Bool) -> [Bough] {
        let count = 3 + below(9)
        return (1...count).map { id in
            Bough(
                id,
                pick("a", "b", "c", "d"),
                rank: chance(70) ? below(3) : nil,
                parent: chance(85) ? 1 + below(isTree ? max(id - 1, 1) : count + 1) : nil,
                children: list(upTo: 3) {
                    isTree ? id + 1 + $0.below(count) : 1 + $0.below(count + 1)
                }
            )
        }
    }
}

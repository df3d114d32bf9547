/// Finds out how many levels of others are below each of the values that were loaded.
///
/// Not by following each as deep as it goes: a chain may be longer than a thread has room for calls.
struct LevelSearch {
    private let entities: [LoadedEntity]
    /// The number of each entity's first row.
    private var first: [ObjectIdentifier: Int] = [:]
    private var levels: [Int32]
    /// How many values of a row are still to be told, each counted as often as it is held.
    private var waiting: [Int32]
    /// Where the rows that hold a row begin in `holders`.
    private var starts: [Int32] = []
    private var holders: [Int32] = []

    init(_ entities: [LoadedEntity]) {
        self.entities = entities.filter { $0.holding != nil }
        var count = 0
        for entity in self.entities {
            first[ObjectIdentifier(entity)] = count
            count += entity.holding?.rows.count ?? 0
        }
        levels = Array(repeating: 0, count: count)
        waiting = levels
    }

    /// Tells each entity the levels of its rows, and returns how many there are.
    ///
    /// - Throws: `.invalidValue` where values hold themselves, or more than can be read.
    mutating func run() throws -> Int {
        findHolders()
        var told = levels.indices.filter { waiting[$0] == 0 }
        var next = 0
        while next < told.count {
            let row = told[next]
            next += 1
            for index in Int(starts[row])..<Int(starts[row + 1]) {
                let holder = Int(holders[index])
                levels[holder] = max(levels[holder], levels[row] + 1)
                waiting[holder] -= 1
                if waiting[holder] == 0 { told.append(holder) }
            }
        }
        if told.count < levels.count { throw failure { waiting[$0] > 0 } ?? Self.unreadable }
        let count = Int((levels.max() ?? -1) + 1)
        let limit = RelationshipLoader.maximumReadDepth
        if count > limit { throw failure { levels[$0] >= limit } ?? Self.unreadable }
        for entity in entities {
            let start = first[ObjectIdentifier(entity)] ?? 0
            entity.take(levels: levels[start..<start + (entity.holding?.rows.count ?? 0)])
        }
        return count
    }

    private mutating func findHolders() {
        var counts = [Int32](repeating: 0, count: levels.count + 1)
        var pairs: [(held: Int32, holder: Int32)] = []
        for entity in entities {
            forEachHolding(of: entity) { holding, rows, row, number in
                guard let target = holding.target else { return }
                holding.forEachPosition(of: row, in: rows) { position in
                    guard target.isThere(Int(position)) else { return }
                    guard let held = self.number(of: position, in: target) else {
                        // What holds nothing has no row, and is a level all the same.
                        levels[number] = max(levels[number], 1)
                        return
                    }
                    waiting[number] += 1
                    counts[held + 1] += 1
                    pairs.append((Int32(held), Int32(number)))
                }
            }
        }
        for index in counts.indices.dropFirst() { counts[index] += counts[index - 1] }
        starts = counts
        holders = Array(repeating: 0, count: pairs.count)
        for (held, holder) in pairs {
            holders[Int(counts[Int(held)])] = holder
            counts[Int(held)] += 1
        }
    }

    private func number(of position: Int32, in entity: LoadedEntity) -> Int? {
        entity.row(of: Int(position)).flatMap { row in
            first[ObjectIdentifier(entity)].map { $0 + row }
        }
    }

    private func forEachHolding(
        of entity: LoadedEntity,
        _ body: (Holding, OwnerRows, Int, Int) -> Void
    ) {
        guard let rows = entity.holding, let start = first[ObjectIdentifier(entity)] else { return }
        for row in 0..<rows.rows.count {
            for holding in rows.holdings { body(holding, rows, row, start + row) }
        }
    }

    /// Returns the error of a relationship between two rows that a condition is true of.
    private func failure(_ isWrong: (Int) -> Bool) -> DBClientError? {
        let isCircle = waiting.contains { $0 > 0 }
        var found: Holding?
        for entity in entities where found == nil {
            forEachHolding(of: entity) { holding, rows, row, number in
                guard found == nil, isWrong(number), let target = holding.target else { return }
                holding.forEachPosition(of: row, in: rows) { position in
                    guard let held = self.number(of: position, in: target) else { return }
                    if !isCircle || isWrong(held) { found = holding }
                }
            }
        }
        return found?.tooDeep(isCircle ? nil : RelationshipLoader.maximumReadDepth)
    }

    private static let unreadable = DBClientError(
        .invalidValue,
        "Values must be nested at most \(RelationshipLoader.maximumReadDepth) deep to be read."
    )
}

import DBClientCore

/// What an observer has made of the changes that it was told: a copy of the result, kept by nothing
/// but the positions, with every law of a change set checked on the way.
struct ObservedCopy<Model: StoredConvertible>: Sendable {
    /// The values; nil before the first.
    private(set) var rows: [ObservedForm]?
    /// How many change sets were applied.
    private(set) var updates = 0

    /// Applies a change.
    ///
    /// - Throws: `ConformanceFailure` when it breaks a law.
    mutating func apply(_ change: Change<Model>) throws {
        switch change {
        case .initial(let objects):
            try expect(rows == nil, "a second initial element came")
            rows = try objects.map { try ObservedForm($0) }
        case .update(let changes):
            guard let old = rows else { throw ConformanceFailure("an update came first") }
            rows = try Self.apply(changes, to: old)
            updates += 1
        }
    }

    /// Takes over what the observer did itself and was not told of.
    mutating func replace(_ models: [Model]) throws {
        rows = try models.map { try ObservedForm($0) }
    }

    private static func apply(
        _ changes: ChangeSet<Model>,
        to old: [ObservedForm]
    ) throws -> [ObservedForm] {
        try expectEqual(
            try changes.previous.map { try ObservedForm($0) },
            old,
            "a change set is relative to what the observer last got:"
        )
        try expect(
            !changes.deletions.isEmpty || !changes.insertions.isEmpty
                || !changes.modifications.isEmpty,
            "an empty change set came"
        )
        try expectAscending(changes.deletions, below: old.count, "deletions")
        try expectAscending(changes.insertions, below: changes.objects.count, "insertions")
        let new = try changes.objects.map { try ObservedForm($0) }
        var copy = old
        for index in changes.deletions.reversed() { copy.remove(at: index) }
        for index in changes.insertions { copy.insert(new[index], at: index) }
        try expectEqual(copy.map(\.key), new.map(\.key), "the law of deletions and insertions:")
        try checkModifications(changes, old, new)
        try checkMoves(changes, old, new)
        for modification in changes.modifications {
            copy[modification.new] = try ObservedForm(modification.element)
        }
        try expectEqual(copy, new, "values that no modification tells:")
        return copy
    }

    private static func checkModifications(
        _ changes: ChangeSet<Model>,
        _ old: [ObservedForm],
        _ new: [ObservedForm]
    ) throws {
        let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.key, $0) })
        let expected = new.indices.compactMap { index -> [Int]? in
            guard let place = places[new[index].key], old[place] != new[index] else { return nil }
            return [place, index]
        }
        try expectEqual(
            changes.modifications.map { [$0.old, $0.new] },
            expected,
            "modifications are the values that differ:"
        )
    }

    private static func checkMoves(
        _ changes: ChangeSet<Model>,
        _ old: [ObservedForm],
        _ new: [ObservedForm]
    ) throws {
        let places = Dictionary(
            uniqueKeysWithValues: changes.insertions.map { (new[$0].key, $0) }
        )
        let expected = changes.deletions.compactMap { index in
            places[old[index].key].map { [index, $0] }
        }
        try expectEqual(
            changes.moves.map { [$0.from, $0.to] },
            expected,
            "moves are what is deleted and inserted:"
        )
    }

    private static func expectAscending(_ indices: [Int], below count: Int, _ name: String) throws {
        let isAscending = zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 }
        try expect(
            isAscending && (indices.last ?? -1) < count && (indices.first ?? 0) >= 0,
            "\(name) are not ascending positions: \(indices)"
        )
    }
}

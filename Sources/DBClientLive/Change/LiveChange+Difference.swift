import DBClientCore

extension LiveChange {
    /// Compares two sequences of elements that have an identity: those of two requests, which no order has in common.
    ///
    /// The fewest elements move. It takes a time of n log n.
    ///
    /// - Parameters:
    ///   - old: What was shown.
    ///   - new: What is shown now.
    ///   - id: The identity of an element. Where several have one, the first are taken for the same.
    ///   - isSame: Whether two elements of one identity are equal.
    init<Elements: RandomAccessCollection, ID: Hashable>(
        from old: Elements?,
        to new: Elements,
        id: (Elements.Element) -> ID,
        isSame: (Elements.Element, Elements.Element) -> Bool
    ) {
        guard let old, !old.isEmpty else {
            self.init(insertions: Array(0..<new.count))
            return
        }
        var places: [ID: Int] = [:]
        places.reserveCapacity(old.count)
        let former = Array(old)
        for (position, element) in former.enumerated() {
            let id = id(element)
            if places[id] == nil { places[id] = position }
        }
        var modifications: [RowMove] = []
        var insertions: [Int] = []
        var kept: [RowMove] = []
        for (position, element) in new.enumerated() {
            guard let place = places.removeValue(forKey: id(element)) else {
                insertions.append(position)
                continue
            }
            kept.append(RowMove(from: place, to: position))
            if !isSame(former[place], element) {
                modifications.append(RowMove(from: place, to: position))
            }
        }
        let staying = Self.longestAscending(kept.map(\.from))
        var isStaying = [Bool](repeating: false, count: former.count)
        for index in staying { isStaying[kept[index].from] = true }
        let moves = kept.filter { !isStaying[$0.from] }
        self.init(
            deletions: former.indices.filter { !isStaying[$0] },
            insertions: (insertions + moves.map(\.to)).sorted(),
            modifications: modifications,
            moves: moves.sorted { $0.from < $1.from }
        )
    }

    /// Compares two sequences of elements whose positions are their identities.
    init<Elements: RandomAccessCollection>(
        from old: Elements?,
        to new: Elements,
        isSame: (Elements.Element, Elements.Element) -> Bool
    ) {
        let before = old?.count ?? 0
        let common = Swift.min(before, new.count)
        var modifications: [RowMove] = []
        if let old {
            for (position, pair) in zip(old, new).enumerated() where !isSame(pair.0, pair.1) {
                modifications.append(RowMove(from: position, to: position))
            }
        }
        self.init(
            deletions: Array(common..<before),
            insertions: Array(common..<new.count),
            modifications: modifications
        )
    }

    /// Returns the positions of the longest ascending part of different numbers, by patience sorting.
    private static func longestAscending(_ numbers: [Int]) -> [Int] {
        // Which position ends the best part of each length, and which comes before each.
        var tails: [Int] = []
        var before = [Int](repeating: -1, count: numbers.count)
        for (position, number) in numbers.enumerated() {
            var low = 0
            var high = tails.count
            if let last = tails.last, numbers[last] < number { low = high }
            while low < high {
                let middle = (low + high) / 2
                if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[position] = tails[low - 1] }
            if low == tails.count { tails.append(position) } else { tails[low] = position }
        }
        var result: [Int] = []
        result.reserveCapacity(tails.count)
        var next = tails.last ?? -1
        while next >= 0 {
            result.append(next)
            next = before[next]
        }
        return result
    }
}

import DBClientCore

/// How rows changed from one state of an observed range to the next, by the law of change sets: deleting the former
/// positions from the back and inserting at the present ones in order gives the present keys.
struct RowDifference: Equatable {
    /// Former positions of rows that have gone or moved, ascending.
    private(set) var deletions: [Int] = []
    /// Present positions of rows that have come or moved, ascending.
    private(set) var insertions: [Int] = []
    /// Present positions of rows whose values have changed, ascending.
    private(set) var updates: [Int] = []
    /// Rows that stand elsewhere, which are among the deletions and the insertions too.
    private(set) var moves: [RowMove] = []

    /// Whether nothing has changed.
    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && updates.isEmpty }

    init(from former: [DynamicRow], to present: [DynamicRow]) {
        let places = Dictionary(
            former.enumerated().map { ($1.key, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let origins = present.map { places[$0.key] }
        let isChanged = zip(present, origins).map { row, origin in
            origin.map { former[$0] != row } ?? false
        }
        let staying = Self.staying(origins, isChanged)
        var gone = Set(former.indices)
        for (position, origin) in origins.enumerated() {
            guard let origin else {
                insertions.append(position)
                continue
            }
            if isChanged[position] { updates.append(position) }
            if staying.contains(origin) {
                gone.remove(origin)
            } else {
                insertions.append(position)
                moves.append(RowMove(from: origin, to: position))
            }
        }
        deletions = gone.sorted()
        moves.sort { $0.from < $1.from }
    }

    /// Returns the former positions of rows that are said to stay where they are: as many as can be of those that did
    /// not change, and of the others those that stand between the same ones as before.
    private static func staying(_ origins: [Int?], _ isChanged: [Bool]) -> Set<Int> {
        let unchanged = zip(origins, isChanged).compactMap { $1 ? nil : $0 }
        var staying = longestAscending(unchanged)
        var next = [Int](repeating: .max, count: origins.count)
        var least = Int.max
        for (position, origin) in origins.enumerated().reversed() {
            next[position] = least
            if let origin, staying.contains(origin) { least = origin }
        }
        var last = -1
        for (position, origin) in origins.enumerated() {
            guard let origin else { continue }
            if isChanged[position], origin > last, origin < next[position] {
                staying.insert(origin)
            }
            if staying.contains(origin) { last = origin }
        }
        return staying
    }

    /// Returns the members of a longest ascending part of a sequence.
    private static func longestAscending(_ numbers: [Int]) -> Set<Int> {
        // The smallest end of a part of each length, and what comes before each number in its part.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var members: Set<Int> = []
        var next = ends.last
        while let index = next {
            members.insert(numbers[index])
            next = previous[index]
        }
        return members
    }
}

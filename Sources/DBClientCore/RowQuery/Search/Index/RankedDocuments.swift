/// Values by their scores, the greatest first: as many as are asked for are sorted.
struct RankedDocuments {
    private var entries: [(score: Double, document: UInt64)] = []
    private let precedes: (UInt64, UInt64) throws -> Bool

    /// Creates it empty, given whether of two values with one score one comes before the other.
    init(_ precedes: @escaping (UInt64, UInt64) throws -> Bool) { self.precedes = precedes }

    mutating func append(_ document: UInt64, _ score: Double) { entries.append((score, document)) }

    /// Makes a heap of the values.
    mutating func sort() throws {
        for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) {
            try sink(index)
        }
    }

    /// Takes the value with the greatest score off the heap.
    mutating func popFirst() throws -> UInt64? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        if !entries.isEmpty {
            entries[0] = last
            try sink(0)
        }
        return first.document
    }

    private func isBefore(_ left: Int, _ right: Int) throws -> Bool {
        if entries[left].score != entries[right].score {
            return entries[left].score > entries[right].score
        }
        return try precedes(entries[left].document, entries[right].document)
    }

    private mutating func sink(_ index: Int) throws {
        var index = index
        while true {
            var first = 2 * index + 1
            if first >= entries.count { return }
            if first + 1 < entries.count, try isBefore(first + 1, first) { first += 1 }
            if try !isBefore(first, index) { return }
            entries.swapAt(first, index)
            index = first
        }
    }
}

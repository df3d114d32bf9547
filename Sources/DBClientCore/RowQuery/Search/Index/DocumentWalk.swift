/// A walk over the numbers of values, ascending.
class DocumentWalk {
    /// Returns the first number that is not less than another, which is not less than those that were asked for before; nil
    /// at the end.
    func advance(to document: UInt64) throws -> UInt64? { nil }

    /// About how many values there are, at most.
    func estimate() throws -> Int { 0 }
}

/// The values that several walks have and others do not.
final class CommonWalk: DocumentWalk {
    private let required: [DocumentWalk]
    private let excluded: [DocumentWalk]

    init(_ required: [DocumentWalk], excluding excluded: [DocumentWalk]) throws {
        self.required = try required.map { ($0, try $0.estimate()) }.sorted { $0.1 < $1.1 }
            .map(\.0)
        self.excluded = excluded
    }

    override func advance(to document: UInt64) throws -> UInt64? {
        var candidate = document
        search: while true {
            for walk in required {
                guard let found = try walk.advance(to: candidate) else { return nil }
                if found > candidate {
                    candidate = found
                    continue search
                }
            }
            for walk in excluded where try walk.advance(to: candidate) == candidate {
                if candidate == .max { return nil }
                candidate += 1
                continue search
            }
            return candidate
        }
    }

    override func estimate() throws -> Int { try required.first?.estimate() ?? 0 }
}

/// The values that any of several walks has.
final class UnitedWalk: DocumentWalk {
    private let walks: [DocumentWalk]

    init(_ walks: [DocumentWalk]) { self.walks = walks }

    override func advance(to document: UInt64) throws -> UInt64? {
        var least: UInt64?
        for walk in walks {
            if let found = try walk.advance(to: document), found < least ?? .max || least == nil {
                least = found
            }
        }
        return least
    }

    override func estimate() throws -> Int {
        try walks.reduce(0) { $0 + (try $1.estimate()) }
    }
}

/// The values that have a term, with how often they have it and how long they are.
class TermWalk: DocumentWalk {
    /// How many words the value that was returned last has.
    var length: Int { 0 }

    /// How often the value that was returned last has the term, with the weights of the fields.
    func frequency(_ weights: [Double]) -> Double { 0 }

    /// How many values have the term.
    func count() throws -> Int { 0 }

    override func estimate() throws -> Int { try count() }
}

/// The values that were found to have a term.
final class FoundTermWalk: TermWalk {
    /// What is known of each value, ascending by their numbers.
    struct Found {
        var documents: [UInt64] = []
        var lengths: [Int] = []
        /// How often each field of each value has the term.
        var counts: [Int32] = []
    }

    private let found: Found
    private let fieldCount: Int
    private var index = 0

    init(_ found: Found, fieldCount: Int) {
        self.found = found
        self.fieldCount = fieldCount
    }

    override func advance(to document: UInt64) throws -> UInt64? {
        let documents = found.documents
        if index < documents.count, documents[index] >= document { return documents[index] }
        var low = index
        var step = 1
        while low + step < documents.count, documents[low + step] < document {
            low += step
            step *= 2
        }
        var high = min(low + step, documents.count)
        while low < high {
            let middle = (low + high) / 2
            if documents[middle] < document { low = middle + 1 } else { high = middle }
        }
        index = low
        return low < documents.count ? documents[low] : nil
    }

    override var length: Int { found.lengths[index] }

    override func frequency(_ weights: [Double]) -> Double {
        var frequency = 0.0
        for field in 0..<fieldCount {
            frequency += weights[field] * Double(found.counts[index * fieldCount + field])
        }
        return frequency
    }

    override func count() throws -> Int { found.documents.count }
}

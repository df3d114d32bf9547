import DBClientCore

/// The sections of a sequence: how many elements in a row have a key.
struct SectionRuns<Key: Hashable & Sendable>: Sendable {
    private(set) var keys: [Key] = []
    /// The position of each section's first element, and the number of all at the end.
    private(set) var starts = [0]

    /// Creates the sections of elements in their order: one for each run of equal keys.
    init<Element>(_ elements: some Sequence<Element>, _ key: (Element) -> Key) {
        for element in elements { append(key(element), 1) }
    }

    private init() {}

    var count: Int { keys.count }

    /// The positions of a section's elements.
    subscript(section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

    private mutating func append(_ key: Key, _ count: Int) {
        if count == 0 { return }
        let end = starts[starts.count - 1] + count
        if keys.last == key {
            starts[starts.count - 1] = end
        } else {
            keys.append(key)
            starts.append(end)
        }
    }

    /// Returns the sections after a change: at the cost of the change and of the number of sections, not of the elements.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - key: The key of the element at a present position, asked for those that are new or have changed.
    /// - Returns: The sections.
    func following(_ change: LiveChange, _ key: (Int) -> Key) -> SectionRuns {
        // What has changed may belong to another section where it stands.
        let moved = Set(change.moves.map(\.to))
        let changed = change.modifications.filter { !moved.contains($0.to) }
        let gone = Self.merged(change.deletions, changed.map(\.from))
        let come = Self.merged(change.insertions, changed.map(\.to))
        var result = SectionRuns()
        var goneIndex = 0
        var comeIndex = 0
        func insert() {
            while comeIndex < come.count, come[comeIndex] == result.starts[result.starts.count - 1]
            {
                result.append(key(come[comeIndex]), 1)
                comeIndex += 1
            }
        }
        for section in 0..<count {
            let range = self[section]
            var left = range.count
            while goneIndex < gone.count, gone[goneIndex] < range.upperBound {
                left -= 1
                goneIndex += 1
            }
            while left > 0 {
                insert()
                let position = result.starts[result.starts.count - 1]
                let next = comeIndex < come.count ? come[comeIndex] - position : left
                let taken = Swift.min(left, next)
                result.append(keys[section], taken)
                left -= taken
            }
        }
        insert()
        return result
    }

    /// Merges two ascending sequences of different numbers.
    private static func merged(_ left: [Int], _ right: [Int]) -> [Int] {
        if right.isEmpty { return left }
        if left.isEmpty { return right }
        return (left + right).sorted()
    }
}

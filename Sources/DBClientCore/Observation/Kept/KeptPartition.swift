/// The rows that are alike in what a window is by, in its order, with what each gets: confined to the hub.
final class KeptPartition {
    /// A row at its place in the order.
    final class Member {
        /// What the rows are sorted by, then the row's place in the order of the query.
        fileprivate let key: [UInt8]
        /// How many bytes of the key are what the rows are sorted by.
        private let sortLength: Int
        unowned let partition: KeptPartition
        unowned let row: KeptWindows.Place
        /// What the row gets, in the order of the functions.
        fileprivate(set) var values: [StorageValue]
        fileprivate var isGone = false

        init(
            _ key: [UInt8],
            sortLength: Int,
            _ row: KeptWindows.Place,
            of partition: KeptPartition
        ) {
            self.key = key
            self.sortLength = sortLength
            self.row = row
            self.partition = partition
            values = Array(repeating: .null, count: partition.windows.count)
        }

        fileprivate func isAlike(_ other: Member) -> Bool {
            sortLength == other.sortLength && key[..<sortLength] == other.key[..<sortLength]
        }

        /// Whether the row would be at another place with a key.
        func isElsewhere(_ key: [UInt8]) -> Bool { self.key != key }
    }

    /// The fields that the rows are alike in.
    let key: FieldsKey
    /// The functions, of one sort.
    private let windows: [PlacedWindow]
    private let entity: EntitySchema
    private var members: [Member] = []
    /// Those that came and went since the values were computed.
    private var (added, gone): ([Member], [Member]) = ([], [])
    /// Why the functions have no values; nil while they have.
    private(set) var failure: (any Error)?

    init(_ key: FieldsKey, _ windows: [PlacedWindow], of entity: EntitySchema) {
        self.key = key
        self.windows = windows
        self.entity = entity
    }

    /// Whether rows came or went since the values were computed.
    var isTouched: Bool { !added.isEmpty || !gone.isEmpty }
    var isEmpty: Bool { members.count + added.count == gone.count }

    func add(_ member: Member) { added.append(member) }

    func remove(_ member: Member) {
        member.isGone = true
        gone.append(member)
    }

    /// Computes the values of the rows that follow those which came or went, of all where a function needs that.
    ///
    /// - Parameters:
    ///   - bytes: Keeps text and data meanwhile.
    ///   - changed: Called with each row that gets something else than before.
    func update(_ bytes: RowBuffer, changed: (Member) -> Void) {
        let before = members.count
        let (first, untouched) = settle()
        failure = nil
        for (index, window) in windows.enumerated() {
            if window.isPlace {
                let end = members.count == before ? members.count - untouched : members.count
                fillPlaces(window.function, index, from: first, atLeastTo: end, changed)
                continue
            }
            do {
                try window.compute(members.count, of: entity, bytes) { [members] position in
                    guard let place = window.operand?.place else { return .null }
                    return members[position].row.field(place)
                } areEqual: { [members] in
                    members[$0].isAlike(members[$1])
                } put: { [members] position, slot in
                    Self.put(slot, at: index, of: members[position], changed)
                }
            } catch {
                failure = error
            }
        }
    }

    /// Computes numbers and ranks from a position on, until they are those of before.
    private func fillPlaces(
        _ function: RowWindow.Function,
        _ index: Int,
        from first: Int,
        atLeastTo end: Int,
        _ changed: (Member) -> Void
    ) {
        guard first < members.count else { return }
        var rank: Int64 = 0
        if first > 0, case .integer(let last) = members[first - 1].values[index] { rank = last }
        for position in first..<members.count {
            let member = members[position]
            let place = Int64(position + 1)
            if position == 0 || !members[position - 1].isAlike(member) {
                rank = function == .denseRank ? rank + 1 : place
            }
            let value = StorageValue.integer(function == .rowNumber ? place : rank)
            if member.values[index] != value {
                member.values[index] = value
                changed(member)
            } else if position >= end {
                // What follows is at the same places, and so is what it is compared with.
                return
            }
        }
    }

    private static func put(
        _ slot: Slot,
        at index: Int,
        of member: Member,
        _ changed: (Member) -> Void
    ) {
        let isSame = member.values[index].withSlot { old in
            // Zero has two signs.
            old.kind == slot.kind
                && (old.kind == .real ? old.bits == slot.bits : Slot.compare(old, slot) == 0)
        }
        if isSame { return }
        member.values[index] = StorageValue(slot)
        changed(member)
    }

    // MARK: Order

    /// Puts the rows that came where they belong and lets go of those that went.
    ///
    /// - Returns: The first position at which something changed, and how many rows at the end are those of before.
    private func settle() -> (first: Int, untouched: Int) {
        defer {
            added = []
            gone = []
        }
        // What came and went again was never among them.
        added.removeAll(where: \.isGone)
        if added.count + gone.count > 16 {
            members.removeAll(where: \.isGone)
            members += added
            members.sort { compareKeys($0.key, $1.key) < 0 }
            return (0, 0)
        }
        var first = Int.max
        var untouched = Int.max
        for member in gone {
            let position = position(of: member.key)
            guard position < members.count, members[position] === member else { continue }
            members.remove(at: position)
            first = min(first, position)
            untouched = min(untouched, members.count - position)
        }
        for member in added {
            let position = position(of: member.key)
            members.insert(member, at: position)
            first = min(first, position)
            untouched = min(untouched, members.count - position - 1)
        }
        return (first, min(untouched, members.count))
    }

    /// Returns the first position whose key is not before another one.
    private func position(of key: [UInt8]) -> Int {
        var range = 0..<members.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if compareKeys(members[middle].key, key) < 0 {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }

    private func compareKeys(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in compareBytes(left, right) }
        }
    }
}

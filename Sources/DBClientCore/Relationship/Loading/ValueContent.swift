/// A row by its entity and its primary key.
struct ContentKey: Hashable, Sendable {
    /// The entity as the owner of the row knows it.
    let entity: ObjectIdentifier
    /// The primary key as ``OrderKey/identity`` has it.
    let key: [UInt8]

    init(_ entity: EntitySchema, _ key: [UInt8]) {
        self.entity = ObjectIdentifier(entity)
        self.key = key
    }
}

/// The exact content of a value: the bytes of its row, and the content of each value that it contains.
///
/// Two values of one model are the same exactly when this is. It also tells which rows a change of
/// which changes the value. Values that were loaded together share what they hold.
final class ValueContent: Sendable {
    let key: ContentKey
    /// A section for each column, then one for each relationship, with the keys that it refers to.
    ///
    /// The column of a value that is held has nothing: what counts is whether the value is there.
    private let bytes: [UInt8]
    private let ends: [Int]
    /// The content of each relationship, in order; empty for a value without related values.
    private let held: [[ValueContent]]
    /// Rows that are named and not there.
    private let missing: [ContentKey]

    init(
        _ key: ContentKey,
        bytes: [UInt8],
        ends: [Int],
        held: [[ValueContent]],
        missing: [ContentKey]
    ) {
        self.key = key
        self.bytes = bytes
        self.ends = ends
        self.held = held
        self.missing = missing
    }

    /// The rows on which the value depends beside its own and its own lists.
    var dependencies: Set<ContentKey> {
        var keys = Set(missing)
        if held.isEmpty { return keys }
        var seen = Set<ObjectIdentifier>()
        var left = held.flatMap(\.self)
        while let content = left.popLast() {
            guard seen.insert(ObjectIdentifier(content)).inserted else { continue }
            keys.insert(content.key)
            keys.formUnion(content.missing)
            left += content.held.lazy.flatMap(\.self)
        }
        return keys
    }

    /// Whether two values are the same.
    func isSame(_ other: ValueContent) -> Bool {
        var seen = Set<Pair>()
        return isSame(other, &seen)
    }

    /// Whether two values are the same in some of their sections.
    func isSame(_ other: ValueContent, in sections: [Int]) -> Bool {
        if self === other { return true }
        guard ends.count == other.ends.count else { return false }
        var seen = Set<Pair>()
        return sections.allSatisfy { section in
            guard section < ends.count, self[section] == other[section] else { return false }
            let relationship = section - (ends.count - held.count)
            guard relationship >= 0, !held.isEmpty else { return true }
            return Self.isSame(held[relationship], other.held[relationship], &seen)
        }
    }

    private subscript(section: Int) -> ArraySlice<UInt8> {
        bytes[(section > 0 ? ends[section - 1] : 0)..<ends[section]]
    }

    private struct Pair: Hashable {
        let left: ObjectIdentifier
        let right: ObjectIdentifier
    }

    private func isSame(_ other: ValueContent, _ seen: inout Set<Pair>) -> Bool {
        if self === other { return true }
        guard key == other.key, ends == other.ends, bytes == other.bytes,
            held.count == other.held.count
        else { return false }
        if held.isEmpty { return true }
        // What several hold is compared once, else the work would double with each level.
        let pair = Pair(left: ObjectIdentifier(self), right: ObjectIdentifier(other))
        guard seen.insert(pair).inserted else { return true }
        for (mine, others) in zip(held, other.held) where !Self.isSame(mine, others, &seen) {
            return false
        }
        return true
    }

    private static func isSame(
        _ left: [ValueContent],
        _ right: [ValueContent],
        _ seen: inout Set<Pair>
    ) -> Bool {
        guard left.count == right.count else { return false }
        for (first, second) in zip(left, right) where !first.isSame(second, &seen) {
            return false
        }
        return true
    }
}

/// Notes while rows are loaded what their values are made of.
final class ContentBuilder {
    private let rows: RowBuffer
    /// One for each relationship of the entity.
    let branches: [ContentBranch]

    init(_ rows: RowBuffer) {
        self.rows = rows
        branches = rows.entity.relationships.map { _ in ContentBranch(rows.count) }
    }

    /// Returns what the value of each row is made of.
    func contents() -> [ValueContent] {
        let entity = rows.entity
        var isHeld = [Bool](repeating: false, count: entity.fields.count)
        for relationship in entity.relationships where !relationship.isByReference {
            for column in relationship.columns { isHeld[column] = true }
        }
        return rows.withBatch { batch in
            (0..<batch.count).map { row in
                var bytes: [UInt8] = []
                var ends: [Int] = []
                ends.reserveCapacity(isHeld.count + branches.count)
                for column in isHeld.indices {
                    if !isHeld[column] { OrderKey.append(batch[row, column], to: &bytes) }
                    ends.append(bytes.count)
                }
                for branch in branches {
                    bytes += branch.references[row]
                    ends.append(bytes.count)
                }
                return ValueContent(
                    ContentKey(entity, OrderKey.identity(of: batch, row, entity.primaryKey)),
                    bytes: bytes,
                    ends: ends,
                    held: branches.map { $0.held[row] },
                    missing: branches.flatMap { $0.missing[row] }
                )
            }
        }
    }
}

/// Notes what rows hold through one relationship.
final class ContentBranch {
    fileprivate private(set) var held: [[ValueContent]]
    fileprivate private(set) var references: [[UInt8]]
    fileprivate private(set) var missing: [[ContentKey]]

    fileprivate init(_ rowCount: Int) {
        held = Array(repeating: [], count: rowCount)
        references = Array(repeating: [], count: rowCount)
        missing = Array(repeating: [], count: rowCount)
    }

    /// Notes that a row holds the value with the key at a position; by its key alone where no values
    /// were loaded.
    func hold(_ loaded: LoadedEntity?, _ keys: RowBuffer, _ position: Int, by row: Int) {
        if let content = loaded?.content(at: position) {
            held[row].append(content)
            return
        }
        let columns = Array(keys.columns.indices)
        let key = keys.withBatch { OrderKey.identity(of: $0, position, columns) }
        if loaded == nil {
            references[row] += key
        } else {
            missing[row].append(ContentKey(keys.entity, key))
        }
    }
}

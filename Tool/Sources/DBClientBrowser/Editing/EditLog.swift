import DBClientCore
import Synchronization

/// The edits that were made on the page, with what they changed, so that they can be undone.
final class EditLog: Sendable {
    /// An edit: the rows that it changed, as they were and as it left them.
    struct Edit: Sendable {
        var rows: [RowChange]
    }

    private struct State {
        var edits: [Int: Edit] = [:]
        var next = 1
    }

    private let state = Mutex(State())
    /// The most edits that are kept.
    private static let capacity = 200

    /// Adds an edit and returns its number.
    func add(_ edit: Edit) -> Int {
        state.withLock { state in
            let number = state.next
            state.next += 1
            state.edits[number] = edit
            state.edits[number - Self.capacity] = nil
            return number
        }
    }

    /// Returns an edit; nil for one that was undone or is kept no more.
    func edit(_ number: Int) -> Edit? { state.withLock { $0.edits[number] } }

    /// Returns what the newest of the later edits that are kept has done to the fields that a change of an edit has
    /// written; nil where none has changed them.
    func later(than number: Int, writing change: RowChange) -> RowChange? {
        state.withLock { state in
            let later = state.edits.filter { $0.key > number }.sorted { $0.key > $1.key }
            for (_, edit) in later {
                if let found = edit.rows.first(where: { $0.overlaps(change) }) { return found }
            }
            return nil
        }
    }

    /// Forgets an edit that was undone.
    func remove(_ number: Int) { state.withLock { $0.edits[number] = nil } }
}

/// What became of a row.
struct RowChange: Sendable {
    let entity: EntitySchema
    let key: [DynamicValue]
    /// Nil for a row that was inserted.
    let before: DynamicRow?
    /// Nil for a row that was deleted.
    let after: DynamicRow?
    /// The names of the fields that the edit has written, in a row that was there before and is there after it.
    let fields: Set<String>

    init(
        _ entity: EntitySchema,
        _ key: [DynamicValue],
        from before: DynamicRow?,
        to after: DynamicRow?,
        fields: Set<String> = []
    ) {
        (self.entity, self.key) = (entity, key)
        (self.before, self.after, self.fields) = (before, after, fields)
    }

    /// Whether a row is as the change has left it: all of one that was inserted, the written fields of another one.
    func hasLeft(_ row: DynamicRow?) -> Bool {
        guard before != nil, let after, let row else { return row == after }
        return fields.allSatisfy { row[$0] == after[$0] }
    }

    /// Whether two changes are of the same field of a row, or of all of it.
    fileprivate func overlaps(_ other: RowChange) -> Bool {
        guard entity == other.entity, key == other.key else { return false }
        let areOfWhole = [self, other].contains { $0.before == nil || $0.after == nil }
        return areOfWhole || !fields.isDisjoint(with: other.fields)
    }
}

/// The state of one call that saves values and those that they contain.
final class GraphSaveState {
    /// Whether anything that was saved reads back different from what was given.
    var differs = false
    /// Whether a value was saved that another one of the call holds.
    var savesHeld = false
    /// Whether a value was saved that was stored before or comes several times in the call; where none
    /// was, what was saved is a tree.
    var hasMetAgain = false
    private var owners: (entity: EntitySchema, rows: RowBuffer)?
    private var ownerKeys: KeyTable?
    private var saved: Set<ObjectIdentifier> = []
    /// The rows that were saved whose references are still to be checked, with their entities.
    private(set) var referring: [(rows: GraphRows, entity: EntitySchema)] = []

    /// Takes the values that the call is given, each of which counts before one of its key that is held.
    ///
    /// `rows` are as `write(to:)` writes them.
    func take(_ rows: RowBuffer, of entity: EntitySchema) {
        owners = (entity, rows)
    }

    /// Returns which of the values with some keys the call was not given itself; nil when none was.
    func withoutOwners(_ keys: RowBuffer) -> [Int]? {
        guard let owners, owners.entity === keys.entity else { return nil }
        let table = ownerKeys ?? Self.keys(of: owners.rows, as: owners.entity)
        ownerKeys = table
        let width = keys.columns.count
        let left = (0..<keys.count).filter {
            table.position(of: keys.batch.slots + $0 * width) == nil
        }
        return left.count == keys.count ? nil : left
    }

    private static func keys(of rows: RowBuffer, as entity: EntitySchema) -> KeyTable {
        var table = KeyTable(entity)
        let columns = KeyColumns(rows.entity.primaryKey)
        let width = rows.columns.count
        for row in 0..<rows.count {
            let key = columns.key(of: rows.batch.slots + row * width)
            // A key that is still to be generated belongs to no other row.
            if !key[0].isNull { _ = table.insert(key) }
        }
        return table
    }

    /// Notes rows that were saved, which may refer to what the call has still to save.
    func note(_ rows: GraphRows, of entity: EntitySchema) {
        if rows.refers { referring.append((rows, entity)) }
    }

    /// Notes that values of an entity are saved, and returns whether others of it were before.
    func note(_ entity: EntitySchema) -> Bool {
        !saved.insert(ObjectIdentifier(entity)).inserted
    }
}

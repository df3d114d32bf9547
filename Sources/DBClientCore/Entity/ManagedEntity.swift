/// A live row: one object for it in its ``EntityContext``, which writes back the fields that change.
///
/// Fields are named by the key path of the stored type, or by their stored names; what is held through
/// relationships is live, too:
///
/// ```swift
/// let name = try entity.value(\Hero.name)
/// try entity.set(\Hero.name, to: "Iron Man")
/// try entity.set("name", to: "Iron Man")
/// try entity.entity(\Hero.publisher)?.set(\Publisher.name, to: "Marvel")
/// ```
///
/// Of use inside the body of its transaction only. Every call throws `.transactionEnded` later, and
/// `.notFound` once the entity is deleted.
public final class ManagedEntity {
    /// The context that the entity belongs to.
    public let context: EntityContext

    enum State {
        /// New, and not written to the store yet.
        case inserted
        case stored
        case deleted
    }

    let schema: EntitySchema
    /// The row's identity; nil until the store has made the key.
    var key: EntityKey?
    var state: State
    /// Whether the context has something of it to write.
    var isPending = false
    /// Whether the row may be another than the one that was read.
    var isStale = false
    /// The values of the fields, by position, with changes that are not stored yet.
    private(set) var values: [StorageValue]
    /// The values as they are stored.
    private var storedValues: [StorageValue]
    /// The entities that it refers to through relationships.
    var held = HeldEntities()
    /// Whether it was set to be held by another.
    var isHeld = false

    init(
        _ schema: EntitySchema,
        _ values: [StorageValue],
        _ state: State,
        _ context: EntityContext
    ) {
        self.schema = schema
        self.values = values
        self.storedValues = values
        self.state = state
        self.context = context
    }

    deinit {
        if let key { context.forget(key) }
    }

    /// The stored name of the entity.
    public var entityName: String { schema.name }

    /// Whether it is new and not written yet.
    public var isInserted: Bool { state == .inserted }

    /// Whether the entity was deleted in this transaction.
    public var isDeleted: Bool { state == .deleted }

    /// The stored names of the fields that were set to another value than the stored one, in the
    /// schema's order, to-many relationships among them; of a new entity, of all fields.
    public var changedFields: [String] {
        let lists =
            state == .inserted
            ? schema.relationships.indices.filter { schema.relationships[$0].link != nil }
            : changedLists
        return schema.changedFields(columns: Set(changedColumns), lists: Set(lists))
    }

    /// Whether anything of it waits to be written.
    var hasChanges: Bool {
        state != .stored || !changedColumns.isEmpty || !changedLists.isEmpty
    }

    var changedColumns: [Int] {
        if state == .inserted { return Array(values.indices) }
        var columns = values.indices.filter { values[$0] != storedValues[$0] }
        for (index, target) in held.ones where target.key == nil {
            columns += schema.relationships[index].columns.filter { !columns.contains($0) }
        }
        return columns.sorted()
    }

    /// The positions of the to-many relationships whose elements are others than the stored ones.
    var changedLists: [Int] {
        held.lists.isEmpty ? [] : held.lists.filter { $1.isChanged }.map(\.key).sorted()
    }

    /// Throws unless the entity can be used, and reads its row where that is stale.
    func prepare() throws {
        try context.check(self)
        if isStale { try context.reload(self) }
    }

    /// Takes the values of a row that was just read.
    func take(_ batch: RowBatch, _ row: Int) {
        values = batch.values(at: row)
        storedValues = values
        held.removeAll()
        isStale = false
        state = .stored
    }

    /// Notes that its values are written, with the keys that the store made.
    func markStored(_ key: EntityKey) {
        for (column, value) in zip(schema.primaryKey, key.values) { values[column] = value }
        for (index, target) in held.ones {
            guard let key = target.key else { continue }
            let columns = schema.relationships[index].columns
            // What was set after the entity says otherwise.
            guard columns.allSatisfy({ values[$0].isNull }) else { continue }
            for (column, value) in zip(columns, key.values) { values[column] = value }
        }
        for (index, list) in held.lists {
            held.lists[index]?.stored = list.elements.compactMap(\.key)
        }
        storedValues = values
        state = .stored
        isPending = false
    }

    /// Returns what makes the entity again what it is now.
    func restoration() -> () -> Void {
        { [values, storedValues, held, state, isPending, isStale, isHeld] in
            self.values = values
            self.storedValues = storedValues
            self.held = held
            self.state = state
            self.isPending = isPending
            self.isStale = isStale
            self.isHeld = isHeld
        }
    }

    /// Notes that its row is gone.
    func markGone() {
        state = .deleted
        isStale = false
        held.removeAll()
    }

    /// Returns the position of a field.
    func column(named name: String) throws -> Int {
        try schema.column(named: name)
    }

    /// Returns the position of a property's first column.
    func column<Model: Stored>(_ keyPath: PartialKeyPath<Model>) throws -> Int {
        try checkType(Model.self)
        return try Model.columns(of: keyPath).lowerBound
    }

    func checkType<Model: Stored>(_ type: Model.Type) throws {
        guard Model.schema.entity === schema else {
            throw DBClientError(
                .invalidRequest,
                "The entity must be of the type \(type).",
                entity: schema.name
            )
        }
    }

    /// Replaces the values of fields from a position on by what a function writes.
    func write(at position: Int, _ body: (inout RowWriter) throws -> Void) throws {
        let rows = RowBuffer(schema)
        var row = try rows.beginRow()
        let end = try row.write(at: position, body)
        let written = withExtendedLifetime(rows) {
            (position..<end).map { StorageValue(rows.openRow[0, $0]) }
        }
        try replace(written, at: position)
    }

    /// Replaces the values of fields from a position on.
    func replace(_ written: [StorageValue], at position: Int) throws {
        _ = try context.openWriter()
        try prepare()
        let columns = position..<position + written.count
        if context.deletionsWaiting > 0 {
            var row = values
            row.replaceSubrange(columns, with: written)
            try context.settle(schema.heldKeys(in: row, writing: columns))
            try prepare()
        }
        for (column, value) in zip(columns, written) { try check(value, for: column) }
        context.changes?.note(self)
        values.replaceSubrange(columns, with: written)
        for index in held.ones.keys
        where schema.relationships[index].columns.contains(where: columns.contains) {
            held.ones[index] = nil
        }
        noteChange()
    }

    /// Sets the columns of a to-one relationship to an entity, or to nothing.
    func replace(relationship index: Int, by target: ManagedEntity?) throws {
        let relationship = schema.relationships[index]
        let key = target?.key?.values
        if target == nil { for column in relationship.columns { try check(.null, for: column) } }
        context.changes?.note(self)
        for (position, column) in relationship.columns.enumerated() {
            values[column] = key?[position] ?? .null
        }
        held.ones[index] = target
        target?.markHeld()
        noteChange()
    }

    /// Notes that another entity holds this one, until the savepoint is undone.
    func markHeld() {
        context.changes?.note(self)
        isHeld = true
    }

    func noteChange() {
        if hasChanges { context.note(self) }
    }

    private func check(_ value: StorageValue, for column: Int) throws {
        if value == values[column] { return }
        let field = schema.fields[column]
        guard !schema.primaryKey.contains(column) else {
            throw DBClientError(
                .invalidRequest,
                "The primary key of an entity must not be set.",
                entity: schema.name,
                field: field.name,
                hint: "Delete the entity and insert it under its new key."
            )
        }
        guard !value.isNull || field.isOptional else {
            throw DBClientError(
                .constraintViolation,
                "A required value is missing.",
                entity: schema.name,
                field: field.name
            )
        }
    }

    /// Returns the value of one field.
    func decode<Value: StorableValue>(_ column: Int) throws -> Value {
        try prepare()
        return try schema.naming(column) { try values[column].decode() }
    }

    /// Returns what a function reads from a position on.
    func read<Value>(
        at position: Int,
        _ body: (inout RowReader) throws -> Value
    ) throws -> Value {
        try prepare()
        let rows = RowBuffer(schema)
        var row = try rows.beginRow()
        for value in values { try row.put(value.slot(in: rows)) }
        return try withExtendedLifetime(rows) {
            var reader = rows.openRow.reader(at: 0)
            reader.skip(position)
            return try body(&reader)
        }
    }
}

extension RowReader {
    mutating func skip(_ count: Int) {
        next += count
    }
}

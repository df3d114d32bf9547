/// The assignments of one call, in reused memory and without the model.
final class AssignmentBuffer {
    let entity: EntitySchema
    /// Whether the primary key is set as well, that of new rows.
    private let setsKey: Bool
    private let rows: RowBuffer
    @exclusivity(unchecked) private var columns: [Int] = []
    @exclusivity(unchecked) private var failure: (any Error)?
    @exclusivity(unchecked) private var row: RowWriter
    /// The related values that are assigned, by relationship, the last of each.
    @exclusivity(unchecked) private(set) var relationships: [RelationshipValues] = []
    /// The modifications of stored fields, none of them set, in the order of the calls.
    @exclusivity(unchecked) private(set) var modifications: [FieldModification] = []

    /// Whether nothing is assigned but fields, to values that are known.
    var isPlain: Bool { relationships.isEmpty && modifications.isEmpty }

    init(_ entity: EntitySchema, setsKey: Bool = false) throws {
        self.entity = entity
        self.setsKey = setsKey
        rows = RowBuffer(entity)
        row = try rows.beginRow()
    }

    func removeAll() {
        rows.removeAll()
        // A column or two, which costs less than to replace a range by nothing.
        while columns.popLast() != nil {}
        if !relationships.isEmpty { relationships.removeAll() }
        if !modifications.isEmpty { modifications.removeAll() }
        if failure != nil { failure = nil }
    }

    func set<Related: Stored>(
        _ relationship: RelationshipSchema?,
        named keyPath: AnyKeyPath,
        to models: [Related]
    ) {
        set(relationship, named: keyPath) { relationship in
            let branch = RelationshipValues(relationship, Collected<Related>(), nil)
            branch.beginRow()
            for model in models { _ = try branch.add(model) }
            return branch
        }
    }

    func set<Related: Stored>(
        _ relationship: RelationshipSchema?,
        named keyPath: AnyKeyPath,
        to type: Related.Type,
        keys: [Related.PrimaryKey]
    ) {
        set(relationship, named: keyPath) { relationship in
            let target = Related.schema.entity
            let branch = RelationshipValues(
                relationship,
                nil,
                RowBuffer(target, columns: target.primaryKey)
            )
            branch.beginRow()
            for key in keys { try branch.add(key: key) }
            return branch
        }
    }

    private func set(
        _ relationship: RelationshipSchema?,
        named keyPath: AnyKeyPath,
        _ makeBranch: (RelationshipSchema) throws -> RelationshipValues
    ) {
        do {
            guard let relationship else { throw entity.notStored(keyPath) }
            for column in relationship.columns { try checkSettable(column) }
            set(try makeBranch(relationship))
        } catch {
            if failure == nil { failure = DBClientError.wrapping(error) }
        }
    }

    /// Sets what is held through a relationship.
    func set(_ branch: RelationshipValues) {
        relationships.removeAll { $0.relationship === branch.relationship }
        relationships.append(branch)
    }

    /// Puts the keys of a to-one relationship, which are known by now, into its columns.
    func fillKeys(of branch: RelationshipValues) throws {
        guard let first = branch.relationship.columns.first, let keys = branch.keys else { return }
        let element = branch.elements(of: 0).first
        let width = branch.relationship.columns.count
        _ = try row.write(at: first) { row in
            for column in 0..<width {
                try row.put(element.map { keys.batch[Int($0), column] } ?? .null)
            }
        }
        for column in branch.relationship.columns where !columns.contains(column) {
            columns.append(column)
        }
    }

    func set(
        _ position: Int?,
        named keyPath: AnyKeyPath,
        _ write: (inout RowWriter) throws -> Void
    ) {
        do {
            guard let position else { throw entity.notStored(keyPath) }
            try set(position, write)
        } catch {
            if failure == nil { failure = DBClientError.wrapping(error) }
        }
    }

    func set(_ position: Int, _ write: (inout RowWriter) throws -> Void) throws {
        try checkSettable(position)
        let end = try row.write(at: position, write)
        for column in position..<end where !columns.contains(column) { columns.append(column) }
        if !modifications.isEmpty {
            modifications.removeAll { (position..<end).contains($0.column) }
        }
    }

    func modify(
        _ position: Int?,
        named keyPath: AnyKeyPath,
        _ change: @escaping (StorageValue, _ column: Int) throws -> StorageValue
    ) {
        do {
            guard let position else { throw entity.notStored(keyPath) }
            try modify(
                FieldModification(
                    column: position,
                    change: .function { try change($0, position) }
                )
            )
        } catch {
            // What the caller's own function throws is thrown as it is.
            if failure == nil { failure = error }
        }
    }

    func modify(_ modification: FieldModification) throws {
        let column = modification.column
        try checkSettable(column)
        switch modification.change {
        case .function(let change) where columns.contains(column):
            let value = try change(StorageValue(rows.openRow[0, column]))
            try value.withSlot { slot in try set(column) { try $0.put(copying: slot) } }
        case .function: modifications.append(modification)
        case .expression:
            // It takes the place of what the field was set to, or modified by.
            columns.removeAll { $0 == column }
            modifications.removeAll { $0.column == column }
            modifications.append(modification)
        }
    }

    /// Sets a field to what is computed.
    func set(
        _ position: Int?,
        named keyPath: AnyKeyPath,
        computing expression: () throws -> RowExpression
    ) {
        do {
            guard let position else { throw entity.notStored(keyPath) }
            let expression = try expression()
            try modify(FieldModification(column: position, change: .expression(expression)))
        } catch {
            if failure == nil { failure = DBClientError.wrapping(error) }
        }
    }

    private func checkSettable(_ position: Int) throws {
        guard setsKey || !entity.primaryKey.contains(position) else {
            throw DBClientError(
                .invalidRequest,
                "The primary key of a stored value must not be set.",
                entity: entity.name,
                field: entity.fields[position].name,
                hint: "Delete the value and insert it under its new key."
            )
        }
    }

    /// Puts the key of the row beside what is assigned to it; its bytes are borrowed.
    func setKey(_ key: RowBatch) {
        for (position, column) in entity.primaryKey.enumerated() {
            setKey(column, key[0, position])
        }
    }

    /// Puts a field of the row's key beside what is assigned to it; its bytes are borrowed.
    @inline(__always)
    func setKey(_ column: Int, _ slot: Slot) {
        rows.replace(row: rows.count, column: column, with: slot)
    }

    /// Returns what was assigned beside relationships and modifications, rounded to what the fields' formats keep unless
    /// that is not wanted; nil when nothing was.
    func finish(isRounded: Bool = true) throws -> RowAssignments? {
        if let failure { throw failure }
        if columns.isEmpty { return nil }
        if columns.count > 1 { columns.sort() }
        if isRounded { try rows.round(columns) }
        return RowAssignments(columns: columns, values: rows.openRow)
    }
}

extension RowWriter {
    /// Writes fields from a position on and returns the position after the last.
    mutating func write(
        at position: Int,
        _ body: (inout RowWriter) throws -> Void
    ) throws -> Int {
        next = first + position
        try body(&self)
        return next - first
    }
}

extension EntitySchema {
    func notStored(_ keyPath: AnyKeyPath) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "The \(keyPath.named) is not stored.",
            entity: name,
            hint: "\(keyPath)".contains("?")
                ? "Set an optional as a whole, not through `?`." : nil
        )
    }
}

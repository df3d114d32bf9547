import DBClientCore
import DBClientTool
import HTTPTypes

/// What an edit has done.
struct EditOutput: Encodable {
    /// The number to undo it by; nil for a deletion that cannot be undone.
    let edit: Int?
    /// The row as it is stored now; nil for one that was deleted.
    var row: RowText?
    /// How many rows were deleted or changed.
    let count: Int
}

extension StoreBrowser {
    /// Writes some fields of a row in one transaction.
    ///
    /// - Throws: ``PageFailure`` where the row has other values of them than the page has shown; what writing throws.
    func update(_ input: UpdateInput) async throws -> EditOutput {
        try checkWritable()
        let entity = try map.entity(named: input.entity)
        let key = try entity.key(from: input.key)
        var values: [String: DynamicValue] = [:]
        for (name, text) in input.set { values[name] = try entity.value(of: name, from: text) }
        let was = input.was
        let change = try await client.write { [values] transaction in
            guard let before = try transaction.find(entity, key: key) else {
                throw DBClientError(.notFound, "The row is no longer stored.", entity: entity.name)
            }
            for name in values.keys.sorted() {
                guard let shown = was[name] else { continue }
                // By bytes: Swift takes a composed letter and its parts for one.
                let stored = before[name].flatMap(FieldText.text)
                guard stored.map({ Array($0.utf8) }) == shown.map({ Array($0.utf8) }) else {
                    var failure = PageFailure.conflict(
                        "The field must be as the page has shown it; it was changed meanwhile."
                    )
                    (failure.entity, failure.field) = (entity.name, name)
                    throw failure
                }
            }
            try transaction.update(entity, key: key, set: values)
            let after = try transaction.find(entity, key: key)
            return RowChange(entity, key, from: before, to: after, fields: Set(values.keys))
        }
        return EditOutput(
            edit: edits.add(EditLog.Edit(rows: [change])),
            row: change.after.map { RowText($0) },
            count: 1
        )
    }

    /// Inserts a row.
    func insert(_ input: InsertInput) async throws -> EditOutput {
        try checkWritable()
        let entity = try map.entity(named: input.entity)
        var row = try DynamicRow(entity)
        for (name, text) in input.values {
            guard !map.computed.contains(name, of: entity) else {
                throw DBClientError(
                    .invalidRequest,
                    "A field must not be set whose values the database makes.",
                    entity: entity.name,
                    field: name
                )
            }
            try row.set(name, to: entity.value(of: name, from: text))
        }
        let inserted = try await client.write { [row] in try $0.insert([row]) }
        let changes = inserted.map { RowChange(entity, $0.key, from: nil, to: $0) }
        return EditOutput(
            edit: edits.add(EditLog.Edit(rows: changes)),
            row: inserted.first.map { RowText($0) },
            count: 1
        )
    }

    /// Deletes a row, by the rules of what refers to it.
    ///
    /// - Throws: ``PageFailure`` where the deletion could not be undone, unless it may be final; what deleting throws.
    func delete(_ input: DeleteInput) async throws -> EditOutput {
        try checkWritable()
        let map = map
        let entity = try map.entity(named: input.entity)
        let key = try entity.key(from: input.key)
        let isFinal = input.isFinal ?? false
        let changes = try await client.write { transaction in
            guard let row = try transaction.find(entity, key: key) else {
                throw DBClientError(.notFound, "The row is no longer stored.", entity: entity.name)
            }
            let rows = try Footprint.rows(ofDeleting: row, map, in: transaction)
            try transaction.delete(entity, key: key)
            let changes = try rows.compactMap { before -> RowChange? in
                let after = try transaction.find(before.entity, key: before.key)
                if after == before { return nil }
                let names = before.entity.fields.map(\.name).filter { name in
                    before[name] != after?[name]
                        && !map.computed.contains(name, of: before.entity)
                }
                return RowChange(
                    before.entity,
                    before.key,
                    from: before,
                    to: after,
                    fields: Set(names)
                )
            }
            if !isFinal { try Self.checkCanBeUndone(changes, map) }
            return changes
        }
        let isKept = !changes.contains { $0.after == nil && map.computed.keys(of: $0.entity) }
        return EditOutput(
            edit: isKept ? edits.add(EditLog.Edit(rows: changes)) : nil,
            count: changes.count
        )
    }

    /// Throws where rows were deleted that cannot be inserted with their keys again.
    private static func checkCanBeUndone(_ changes: [RowChange], _ map: StoreMap) throws {
        guard
            let entity = changes.first(where: {
                $0.after == nil && map.computed.keys(of: $0.entity)
            })?.entity
        else { return }
        var failure = PageFailure(
            .conflict,
            "cannotBeUndone",
            "The deletion cannot be undone: the database makes every key of \(entity.name),"
                + " GENERATED ALWAYS AS IDENTITY, and takes none."
        )
        failure.entity = entity.name
        throw failure
    }

    /// Undoes an edit in one transaction, unless a row is no longer as the edit has left it.
    func undo(_ input: UndoInput) async throws -> EditOutput {
        try checkWritable()
        guard let edit = edits.edit(input.edit) else {
            throw PageFailure(
                .notFound,
                "notFound",
                "The edit must be one that this page has made and not undone."
            )
        }
        let map = map
        try await client.write { [edits] transaction in
            let present = try edits.present(edit, input.edit, in: transaction)
            try Self.undo(edit, from: present, map, in: transaction)
        }
        edits.remove(input.edit)
        let row = edit.rows.count == 1 ? edit.rows[0].before : nil
        return EditOutput(edit: input.edit, row: row.map { RowText($0) }, count: edit.rows.count)
    }

    private static func undo(
        _ edit: EditLog.Edit,
        from present: [DynamicRow?],
        _ map: StoreMap,
        in transaction: WriteTransaction
    ) throws {
        // In one call, since the rows may refer to each other.
        let deleted = edit.rows.filter { $0.after == nil }.compactMap(\.before)
        if !deleted.isEmpty { try transaction.insert(inOrder(deleted, map)) }
        let changed = try zip(edit.rows, present).compactMap { change, row -> DynamicRow? in
            guard let before = change.before, var row else { return nil }
            for name in change.fields { try row.set(name, to: before[name] ?? .null) }
            return row
        }
        if !changed.isEmpty { try transaction.update(changed) }
        for change in edit.rows where change.before == nil {
            guard let row = change.after else { continue }
            guard try Footprint.rows(ofDeleting: row, map, in: transaction).count == 1 else {
                var failure = PageFailure.conflict(
                    "Nothing must refer to the row that the edit has inserted; other rows do now."
                )
                failure.entity = change.entity.name
                throw failure
            }
            try transaction.delete(change.entity, key: change.key)
        }
    }

    /// Returns rows in an order in which those that others refer to come first, entity by entity; links come last.
    private static func inOrder(_ rows: [DynamicRow], _ map: StoreMap) -> [DynamicRow] {
        var left: [EntitySchema] = []
        for row in rows where !left.contains(row.entity) { left.append(row.entity) }
        var ordered: [EntitySchema] = []
        while !left.isEmpty {
            let next = left.firstIndex { entity in
                entity.linkOwner == nil
                    && map.references(of: entity).allSatisfy { reference in
                        reference.link != nil || reference.target == entity
                            || !left.contains(reference.target)
                    }
            }
            ordered.append(left.remove(at: next ?? left.firstIndex { $0.linkOwner == nil } ?? 0))
        }
        return ordered.flatMap { entity in rows.filter { $0.entity == entity } }
    }

    private func checkWritable() throws {
        guard !isReadOnly else {
            throw DBClientError(
                .readOnly,
                "The page must not edit a store that was opened with --read-only."
            )
        }
    }
}

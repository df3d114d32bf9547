extension GraphWriter {
    /// Writes the links of rows whose own keys are complete.
    ///
    /// The links of a row that is not new are replaced when they are others than before.
    ///
    /// Returns whether any was replaced.
    @discardableResult
    func writeLinks(of saved: GraphRows, isNew: [Bool]) throws -> Bool {
        var isChanged = false
        for branch in saved.graph.branches {
            guard let link = branch.relationship.link else { continue }
            if try write(Links(branch, link, of: saved.rows), isNew) { isChanged = true }
        }
        return isChanged
    }

    /// Gives every owner the same elements, and leaves those alone that have them.
    func writeLinks(
        of owners: RowBuffer,
        _ link: LinkSchema,
        like branch: RelationshipValues
    ) throws {
        let links = Links(branch, link, ofEach: owners)
        _ = try write(links, [Bool](repeating: false, count: owners.count))
    }

    private func write(_ links: Links, _ isNew: [Bool]) throws -> Bool {
        let link = links.link
        let old = isNew.indices.filter { !isNew[$0] }
        let isUnchanged = try unchanged(old, links)
        let changed = old.filter { !isUnchanged.contains($0) }
        var replaced = changed
        if old.count < isNew.count, try writer.mayKeepLinksOfDeleted(link.entity) {
            // A value of this key may have been there before, and its links may be left.
            replaced += isNew.indices.filter { isNew[$0] }
        }
        if !replaced.isEmpty {
            var owners = links.noOwners
            for row in replaced { _ = owners.insert(links.owner(of: row)) }
            _ = try writer.delete(
                RowQuery(link.entity, where: .keys(link.owner, in: owners.keys))
            )
        }
        let written = RowBuffer(link.entity, capacity: links.count)
        written.lenders = links.lenders
        for row in isNew.indices where !isUnchanged.contains(row) {
            links.append(row, to: written)
        }
        try link.checkShards(of: written, owner: links.owners, links.relationship)
        if written.count > 0 { try writer.insert(written) }
        return !changed.isEmpty
    }

    /// Returns which rows have the links that are stored for them.
    private func unchanged(_ rows: [Int], _ links: Links) throws -> Set<Int> {
        if rows.isEmpty { return [] }
        var owners = links.noOwners
        for row in rows { _ = owners.insert(links.owner(of: row)) }
        var counts = [Int](repeating: 0, count: owners.count)
        var isEqual = [Bool](repeating: true, count: owners.count)
        let link = links.link
        let stored = RowQuery(link.entity, where: .keys(link.owner, in: owners.keys))
        try writer.scan(stored) { batch in
            for index in 0..<batch.count {
                let slots = batch.slots + index * batch.columnCount
                guard let owner = owners.position(of: slots).map({ Int($0) }) else { continue }
                let place = counts[owner]
                counts[owner] += 1
                let targets = links.targets(of: rows[owner])
                if place >= targets.count
                    || SlotKey(slots: slots + link.target[0], count: link.target.count)
                        != targets[place]
                {
                    isEqual[owner] = false
                }
            }
            return true
        }
        return Set(
            rows.enumerated()
                .filter { isEqual[$0] && counts[$0] == links.targets(of: $1).count }
                .map(\.element)
        )
    }

    /// Throws when a saved row refers to a value that is not stored, now that all of them are saved.
    func checkReferences() throws {
        for (saved, entity) in call.referring {
            for branch in saved.graph.branches where branch.mustBeThere {
                guard let keys = branch.keys else { continue }
                try checkThere(keys, of: branch.relationship, entity)
            }
        }
    }

    /// Throws when rows that were written without their models name a value that is not stored.
    ///
    /// `columns` are those that were written.
    func checkKeys(of rows: RowBatch, _ entity: EntitySchema, columns: [Int]) throws {
        try entity.checkShards(of: rows, columns: columns)
        for relationship in entity.relationships where relationship.link == nil {
            guard let target = relationship.target,
                relationship.columns.contains(where: columns.contains)
            else { continue }
            let keys = RowBuffer(target, columns: target.primaryKey)
            for row in 0..<rows.count {
                let key = rows.slots + (row * rows.columnCount + relationship.columns[0])
                let count = relationship.columns.count
                if SlotKey(slots: key, count: count).isNull {
                    if (0..<count).allSatisfy({ key[$0].isNull }) { continue }
                    throw DBClientError(
                        .danglingReference,
                        "A reference must have every part of its key, or none; one is missing.",
                        entity: entity.name,
                        field: relationship.name
                    )
                }
                keys.append(copying: key)
            }
            guard relationship.rule != .weak, keys.count > 0 else { continue }
            try checkThere(keys, of: relationship, entity)
        }
    }

    /// Throws when a key names a value that is not stored.
    func checkThere(
        _ keys: RowBuffer,
        of relationship: RelationshipSchema,
        _ owner: EntitySchema
    ) throws {
        var table = KeyTable(keys.entity)
        for row in 0..<keys.count {
            _ = table.insert(keys, row: row)
        }
        var found = 0
        try writer.lookUp(table.keys) { found += $0.count }
        guard found == table.count else {
            throw DBClientError(
                .danglingReference,
                "The value that is referred to must be stored; it was not found.",
                entity: owner.name,
                field: relationship.name,
                hint: "Insert it first, or declare the relationship weak."
            )
        }
    }
}

/// The links of rows through one relationship.
private struct Links {
    let link: LinkSchema
    let relationship: String
    private let rows: RowBuffer
    private let keys: RowBuffer
    private let targets: [[SlotKey]]
    private let ownerKey: KeyColumns

    /// The links of rows, each to its own elements.
    init(_ branch: RelationshipValues, _ link: LinkSchema, of rows: RowBuffer) {
        self.link = link
        relationship = branch.relationship.name
        self.rows = rows
        keys = branch.keys ?? RowBuffer(link.entity)
        ownerKey = KeyColumns(rows.entity.primaryKey)
        let keys = keys
        targets = (0..<rows.count).map { Self.targets(branch, link, keys, of: $0) }
    }

    /// The links of owners, given by their keys, each to the elements of the branch's only row.
    init(_ branch: RelationshipValues, _ link: LinkSchema, ofEach owners: RowBuffer) {
        self.link = link
        relationship = branch.relationship.name
        rows = owners
        keys = branch.keys ?? RowBuffer(link.entity)
        ownerKey = KeyColumns(Array(owners.columns.indices))
        let found = Self.targets(branch, link, keys, of: 0)
        targets = Array(repeating: found, count: owners.count)
    }

    private static func targets(
        _ branch: RelationshipValues,
        _ link: LinkSchema,
        _ keys: RowBuffer,
        of row: Int
    ) -> [SlotKey] {
        let width = keys.columns.count
        let found = branch.elements(of: row).map {
            SlotKey(slots: keys.batch.slots + Int($0) * width, count: width)
        }
        return link.position == nil ? found.sortedAndUnique() : found
    }

    /// An empty table for the keys of owners.
    var noOwners: KeyTable { KeyTable(rows.entity) }

    /// The entity of the owners.
    var owners: EntitySchema { rows.entity }

    /// The buffers whose memory the rows of links point to, which must outlive them.
    var lenders: [AnyObject] { [rows, keys] }

    var count: Int { targets.reduce(0) { $0 + $1.count } }

    func targets(of row: Int) -> [SlotKey] { targets[row] }

    /// Returns the key of a row, valid until the next is asked for.
    func owner(of row: Int) -> UnsafePointer<Slot> {
        ownerKey.key(of: rows.batch.slots + row * rows.columns.count)
    }

    func append(_ row: Int, to written: RowBuffer) {
        let owner = owner(of: row)
        for (place, target) in targets[row].enumerated() {
            written.append { column in
                if column < link.owner.count { return owner[column] }
                if column == link.position { return .integer(Int64(place)) }
                return target.slots[column - link.target[0]]
            }
        }
    }
}

extension [SlotKey] {
    fileprivate func sortedAndUnique() -> [SlotKey] {
        var result: [SlotKey] = []
        let ascending = sorted { left, right in
            for index in 0..<left.count {
                let order = Slot.compare(left.slots[index], right.slots[index])
                if order != 0 { return order < 0 }
            }
            return false
        }
        for key in ascending where key != result.last { result.append(key) }
        return result
    }
}

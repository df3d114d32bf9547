import DBClientCore

// Which foreign keys become relationships: those that the library takes over as they are.
extension ModelPlanner {
    /// Finds the relationships of one column.
    mutating func findRelationships() {
        var keyEdges: [Int: Set<Int>] = [:]
        var heldEdges: [Int: Set<Int>] = [:]
        for position in drafts.indices {
            for (key, rule) in foreignKeys(of: drafts[position]) where key.columns.count == 1 {
                let column = key.columns[0]
                guard drafts[position].kinds[column] != nil else { continue }
                do throws(Refusal) {
                    var relationship = try relationship(key, rule, of: drafts[position])
                    let isKey = drafts[position].key.contains(column)
                    if isKey {
                        guard !Self.leads(from: relationship.target, to: position, keyEdges) else {
                            throw Refusal("the keys would refer to each other in a circle")
                        }
                        keyEdges[position, default: []].insert(relationship.target)
                    } else if options.relationships == .values,
                        !Self.leads(from: relationship.target, to: position, heldEdges)
                    {
                        heldEdges[position, default: []].insert(relationship.target)
                        relationship.isHeld = true
                    }
                    drafts[position].relationships.append(relationship)
                } catch {
                    refuse(key, of: position, error)
                }
            }
        }
    }

    /// Finds the relationships of several columns, whose names must be what the library makes of one name and the
    /// properties of the other model's key.
    mutating func findWideRelationships() {
        for position in drafts.indices {
            for (key, rule) in foreignKeys(of: drafts[position]) where key.columns.count > 1 {
                guard key.columns.allSatisfy({ drafts[position].kinds[$0] != nil }) else {
                    continue
                }
                do throws(Refusal) {
                    var relationship = try relationship(key, rule, of: drafts[position])
                    relationship.prefix = try prefix(of: relationship)
                    drafts[position].relationships.append(relationship)
                } catch {
                    refuse(key, of: position, error)
                }
            }
        }
    }

    /// Why a foreign key is no relationship.
    struct Refusal: Error {
        let reason: String

        init(_ reason: String) {
            self.reason = reason
        }
    }

    private func relationship(
        _ key: CatalogForeignKey,
        _ notedRule: DeleteRule?,
        of draft: TableDraft
    ) throws(Refusal) -> TableDraft.Relationship {
        guard let table = key.table else { throw Refusal("that table is in another schema") }
        // SQLite takes names that differ in case for one.
        let target =
            drafts.firstIndex { $0.table.name == table }
            ?? drafts.firstIndex { $0.table.name.lowercased() == table.lowercased() }
        guard let target else { throw Refusal("there is no model of that table") }
        let other = drafts[target]
        let targets = key.targets.isEmpty ? other.table.primaryKey : key.targets
        guard targets.count == key.columns.count,
            Set(targets.map { $0.lowercased() }) == Set(other.key.map { $0.lowercased() })
        else { throw Refusal("it refers to columns that are not the key of that model") }
        // In the order of the other model's key.
        let columns = other.key.compactMap { part in
            targets.firstIndex { $0.lowercased() == part.lowercased() }.map { key.columns[$0] }
        }
        for (column, part) in zip(columns, other.key) where draft.kinds[column] != other.kinds[part]
        {
            throw Refusal("its type differs from that of the key")
        }
        if columns.contains(where: { draft.relationship(of: $0) != nil }) {
            throw Refusal("the column is another relationship already")
        }
        let isOptional = columns.allSatisfy(draft.isOptional)
        guard isOptional || !columns.contains(where: draft.isOptional) else {
            throw Refusal("some of its columns may be null and others may not")
        }
        let index = draft.index(over: columns)
        let isFirstOfKey = columns.count == 1 && draft.key.first == columns[0]
        guard index != nil || isFirstOfKey || options.addsIndexes else {
            throw Refusal(
                "a relationship needs an index over exactly \(columns.count == 1 ? "this column" : "these columns"),"
                    + " which the library would add to the table"
            )
        }
        var relationship = TableDraft.Relationship(target: target, columns: columns)
        relationship.index = index == .unique ? .unique : nil
        if let notedRule {
            relationship.rule = notedRule == (isOptional ? .nullify : .deny) ? nil : notedRule
        } else {
            (relationship.rule, relationship.remarks) = Self.rule(key.onDelete, isOptional)
        }
        return relationship
    }

    /// Returns the delete rule of the library that does what the database does, where it is not the default one.
    private static func rule(
        _ rule: CatalogForeignKey.Rule,
        _ isOptional: Bool
    ) -> (rule: DeleteRule?, remarks: [String]) {
        switch rule {
        case .cascade: (.cascade, [])
        case .noAction: (isOptional ? .deny : nil, [])
        case .setNull where isOptional: (nil, [])
        case .setNull: (nil, ["The foreign key sets null, which the column does not take."])
        case .setDefault: (.weak, ["The foreign key sets the default of the column."])
        }
    }

    private func prefix(of relationship: TableDraft.Relationship) throws(Refusal) -> String {
        let other = drafts[relationship.target]
        var prefix: String?
        for (column, part) in zip(relationship.columns, other.key) {
            let ending = "_" + (other.properties[part] ?? part)
            guard column.hasSuffix(ending), column.count > ending.count else {
                throw Refusal(
                    "a relationship of several columns is kept in columns that are named after the properties"
                        + " of the key, as in `\("name" + ending)`"
                )
            }
            let begin = String(column.dropLast(ending.count))
            guard prefix == nil || prefix == begin else {
                throw Refusal("its columns do not begin with one name")
            }
            prefix = begin
        }
        guard let prefix else { throw Refusal("it has no columns") }
        return prefix
    }

    private mutating func refuse(_ key: CatalogForeignKey, of position: Int, _ refusal: Refusal) {
        let targets = key.targets.isEmpty ? "" : " (\(key.targets.joined(separator: ", ")))"
        let reason =
            "Refers to \(key.table ?? "a table")\(targets), and is no relationship: \(refusal.reason)."
        for column in key.columns {
            drafts[position].remarks[column, default: []].append(reason)
        }
        notices.append(
            GenerationNotice(
                kind: .plainField,
                table: drafts[position].table.name,
                column: key.columns.joined(separator: ", "),
                reason: reason
            )
        )
    }

    private static func leads(from start: Int, to end: Int, _ edges: [Int: Set<Int>]) -> Bool {
        var found: Set<Int> = []
        var open = [start]
        while let next = open.popLast() {
            if next == end { return true }
            if found.insert(next).inserted { open += edges[next] ?? [] }
        }
        return false
    }
}

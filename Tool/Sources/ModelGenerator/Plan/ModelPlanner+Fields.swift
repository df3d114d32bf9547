// The properties of a model.
extension ModelPlanner {
    /// Names the properties: plain columns first, so that a relationship does not take the name of one.
    mutating func nameProperties() {
        for position in drafts.indices {
            for column in drafts[position].table.columns
            where drafts[position].kinds[column.name] != nil {
                guard drafts[position].relationship(of: column.name) == nil else { continue }
                nameColumn(column.name, of: position)
            }
            for column in drafts[position].table.columns {
                guard let relationship = drafts[position].relationship(of: column.name) else {
                    continue
                }
                nameRelationship(relationship, named: column.name, of: position)
            }
        }
    }

    private mutating func nameColumn(_ column: String, of position: Int) {
        let words = SwiftIdentifier.words(of: column)
        let name = SwiftIdentifier.lowerCamel(words)
        let draft = drafts[position]
        let isOwnKey = draft.key == [column] && words == draft.words + ["id"]
        let isTaken = draft.table.columns.contains {
            $0.name != column && SwiftIdentifier.words(of: $0.name) == ["id"]
        }
        drafts[position].properties[column] =
            isOwnKey && !isTaken
            ? drafts[position].names.take("id", name, name + "Value")
            : drafts[position].names.take(name, name + "Value")
    }

    private mutating func nameRelationship(
        _ relationship: TableDraft.Relationship,
        named column: String,
        of position: Int
    ) {
        var words = SwiftIdentifier.words(of: column)
        let full = SwiftIdentifier.lowerCamel(words)
        let target = drafts[relationship.target]
        // Without what the column says of the key of the other table: `team_code`, for the key `code`.
        let key = SwiftIdentifier.words(of: target.key[0])
        if words.count > key.count, words.suffix(key.count) == key[...] {
            words.removeLast(key.count)
        } else if words.count > 1, words.last == "id" {
            words.removeLast()
        } else if words == ["id"] {
            words = target.words
        }
        let name = SwiftIdentifier.lowerCamel(words)
        drafts[position].properties[column] =
            drafts[position].names.take(name, full, full + "Reference")
    }

    /// Returns the model of a table, without what other tables add to it.
    func plan(_ position: Int) -> ModelPlan {
        let draft = drafts[position]
        var plan = ModelPlan(
            table: draft.table.name,
            typeName: draft.typeName,
            comment: draft.table.comment,
            kind: draft.table.kind
        )
        // The first of the properties of a key is the most significant.
        let inOrder = draft.table.columns.filter { !draft.key.contains($0.name) }
        let keys = draft.key.compactMap { draft.table.column(named: $0) }
        for column in keys + inOrder {
            if let reason = draft.reasons[column.name] {
                let type = column.declaredType.isEmpty ? "" : " \(column.declaredType)"
                plan.members.append(.remark("Left out: \(column.name)\(type), since \(reason)."))
            } else if let relationship = draft.relationship(of: column.name) {
                if relationship.columns.first == column.name {
                    plan.members.append(.field(field(relationship, of: draft, column)))
                }
            } else if let kind = draft.kinds[column.name] {
                plan.members.append(.field(field(kind, of: draft, column)))
            }
        }
        plan.indexes = indexes(of: draft)
        return plan
    }

    private func field(
        _ relationship: TableDraft.Relationship,
        of draft: TableDraft,
        _ column: CatalogColumn
    ) -> FieldPlan {
        let target = drafts[relationship.target].typeName
        var property = draft.properties[column.name] ?? column.name
        if let prefix = relationship.prefix {
            var names = draft.names
            let name = SwiftIdentifier.lowerCamel(SwiftIdentifier.words(of: prefix))
            property = names.take(name, name + "Reference")
        }
        return FieldPlan(
            property: property,
            column: relationship.prefix ?? column.name,
            type: relationship.isHeld ? target : "Reference<\(target)>",
            isOptional: draft.isOptional(column.name),
            key: draft.key.contains(column.name) ? .given : nil,
            index: relationship.index,
            format: relationship.columns.count == 1 ? column.format : nil,
            rule: relationship.rule,
            comment: column.comment,
            remarks: (draft.remarks[column.name] ?? []) + relationship.remarks
        )
    }

    private func field(
        _ kind: FieldKind,
        of draft: TableDraft,
        _ column: CatalogColumn
    ) -> FieldPlan {
        var field = FieldPlan(
            property: draft.properties[column.name] ?? column.name,
            column: column.name,
            type: kind.swiftType(enums: enumNames),
            isOptional: draft.isOptional(column.name),
            format: column.format,
            comment: column.comment,
            remarks: draft.remarks[column.name] ?? [],
            needsFoundation: kind.needsFoundation
        )
        if draft.key.contains(column.name) {
            field.key = .given
            if column.source == .identityAlways {
                field.remarks.append(
                    "Always made by the database: a row with a value of its own is refused."
                )
            }
            if draft.key.count == 1, let value = generatedKey(kind, column) {
                field.key = .generated
                field.initialValue = value
            }
            if draft.key.first == column.name { return field }
        }
        if !kind.isJSON { field.index = draft.index(over: [column.name]) }
        guard field.key == nil, column.source != .computed,
            let expression = column.defaultValue
        else { return field }
        let literal = DefaultLiteral(expression, labels: labels(of:))
        if let value = literal.swift(of: kind) {
            if value != "nil" { field.initialValue = value }
        } else {
            field.remarks.append("The database's default: \(expression)")
        }
        return field
    }

    /// Returns what a key begins with that the store makes; nil for one that is given.
    private func generatedKey(_ kind: FieldKind, _ column: CatalogColumn) -> String? {
        switch kind {
        case .integer where column.source == .sequence || column.source == .identityAlways:
            // To the library, 0 is a key that is still to be made.
            return column.holdsZero ? nil : "0"
        case .uuid where DefaultLiteral.isRandomUUID(column.defaultValue):
            let zeros = Array(repeating: "0", count: 16).joined(separator: ", ")
            return "UUID(uuid: (\(zeros)))"
        default: return nil
        }
    }

    /// Returns the indexes over several properties.
    private func indexes(of draft: TableDraft) -> [ModelPlan.Index] {
        var found: [ModelPlan.Index] = []
        for index in draft.table.indexes where index.isPlain && index.columns.count > 1 {
            guard index.columns.count <= 32, Set(index.columns).count == index.columns.count else {
                continue
            }
            if index.isUnique && Set(index.columns) == Set(draft.key) { continue }
            let properties = index.columns.compactMap { column -> String? in
                guard let kind = draft.kinds[column], !kind.isJSON,
                    draft.relationship(of: column).map({ $0.columns.count == 1 }) ?? true
                else { return nil }
                return draft.properties[column]
            }
            let plan = ModelPlan.Index(properties: properties, isUnique: index.isUnique)
            if properties.count == index.columns.count, !found.contains(plan) { found.append(plan) }
        }
        return found
    }

    /// Adds to each model what leads to the values that refer to it.
    func addInverses(to plans: inout [ModelPlan]) {
        var names = plans.map { plan in
            UniqueNames(
                taken: SwiftIdentifier.reservedProperties.union(plan.fields.map(\.property))
            )
        }
        for (position, draft) in drafts.enumerated() {
            for relationship in draft.relationships {
                guard
                    let field = plans[position].fields.first(where: {
                        $0.column == relationship.prefix ?? relationship.columns[0]
                    })
                else { continue }
                var words = draft.words
                let isOne = field.index == .unique || field.key != nil && draft.key.count == 1
                if !isOne, let last = words.popLast() { words.append(EnglishNoun.plural(of: last)) }
                let name = SwiftIdentifier.lowerCamel(words)
                let precise =
                    name + "By" + field.property.prefix(1).uppercased()
                    + field.property.dropFirst()
                let isOnly = draft.relationships.count { $0.target == relationship.target } == 1
                let target = relationship.target
                plans[target].inverses.append(
                    ModelPlan.Inverse(
                        name: isOnly && target != position
                            ? names[target].take(name, precise) : names[target].take(precise),
                        model: draft.typeName,
                        property: field.property
                    )
                )
            }
        }
        for position in plans.indices { plans[position].inverses.sort { $0.name < $1.name } }
    }
}

// Where key paths lead: to a field of the value itself, of what is embedded in it, or of what it holds.
//
// A key path through an optional cannot be put together at run time, so such a one is found by its description, which
// names the stored properties on its way. Each part is compared with the description of a schema's own key path, so
// that nothing depends on how exactly they are written.
extension Stored {
    /// Returns the field that a key path leads to, nil where a value on the way is absent.
    ///
    /// - Throws: `.invalidRequest` for a property that is not stored, or is a struct of several fields.
    static func place(of keyPath: AnyKeyPath) throws -> RowGrouping.Key {
        let found = try found(keyPath)
        guard found.columns.count == 1 else {
            throw DBClientError(
                .invalidRequest,
                "The \(keyPath.named) must be one field; it has several.",
                entity: schema.entity.name,
                hint: "Name one of its fields."
            )
        }
        return RowGrouping.Key(found.columns.lowerBound, through: found.path)
    }

    /// Returns the positions of a stored property's columns in the value's own row, several for an embedded struct.
    ///
    /// - Throws: `.invalidRequest` for a property that is not stored, or is one of a value that is held.
    static func columns(of keyPath: AnyKeyPath) throws -> Range<Int> {
        let found = try found(keyPath)
        guard found.path.isEmpty else { throw beyond(keyPath) }
        return found.columns
    }

    private static func found(_ keyPath: AnyKeyPath) throws -> FoundPlace {
        if let columns = schema.columns(of: keyPath), !columns.isEmpty {
            return FoundPlace(columns: columns, path: [])
        }
        if let steps = keyPath.steps, let found = place(along: Array(steps)[...], through: []) {
            return found
        }
        throw DBClientError(
            .invalidRequest,
            "The \(keyPath.named) is not stored.",
            entity: schema.entity.name,
            hint:
                "Use a key path to a stored property, also of an embedded struct or a related value."
        )
    }

    private static func beyond(_ keyPath: AnyKeyPath) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "The \(keyPath.named) must not belong to another model.",
            entity: schema.entity.name,
            hint: "Use a key path to a field of the value itself."
        )
    }

    /// Follows the rest of a key path from the model on.
    fileprivate static func place(along steps: Steps, through path: [RelatedRows]) -> FoundPlace? {
        for property in schema.describedProperties where property.leads(along: steps) {
            let rest = steps.dropFirst(property.text.count)
            if rest.isEmpty { return property.columns.map { FoundPlace(columns: $0, path: path) } }
            let relationship = schema.relationship(of: property.keyPath)
            if let found = property.place(along: rest, at: 0, through: path, relationship) {
                return found
            }
        }
        return nil
    }
}

extension EmbeddedValue {
    /// Follows the rest of a key path from the struct on, whose first field is at a position.
    fileprivate static func place(
        along steps: Steps,
        at first: Int,
        through path: [RelatedRows]
    ) -> FoundPlace? {
        for property in schema.describedProperties where property.leads(along: steps) {
            let rest = steps.dropFirst(property.text.count)
            if rest.isEmpty {
                return property.columns.map {
                    FoundPlace(columns: first + $0.lowerBound..<first + $0.upperBound, path: path)
                }
            }
            if let found = property.place(along: rest, at: first, through: path, nil) {
                return found
            }
        }
        return nil
    }
}

/// The UTF-8 of a key path's description from some step on: `.team?.name`.
private typealias Steps = ArraySlice<UInt8>

/// The columns that a key path leads to, and the way to their row.
private struct FoundPlace {
    let columns: Range<Int>
    let path: [RelatedRows]
}

/// A stored property and how its key path is described.
struct DescribedProperty: @unchecked Sendable {
    /// The property; shared between threads, since key paths have no mutable state.
    let keyPath: AnyKeyPath
    /// The steps of the key path as its description has them, in UTF-8.
    let text: [UInt8]
    /// The positions of its columns; nil for one that has none.
    let columns: Range<Int>?

    /// Describes properties; two that are described alike, such as two that take no room, are left out.
    static func all(_ properties: some Sequence<(AnyKeyPath, Range<Int>?)>) -> [DescribedProperty] {
        var found: [[UInt8]: DescribedProperty?] = [:]
        for (keyPath, columns) in properties {
            guard let text = keyPath.steps.map(Array.init) else { continue }
            let property = DescribedProperty(keyPath: keyPath, text: text, columns: columns)
            found[text] = .some(found[text] == nil ? property : nil)
        }
        return found.values.compactMap(\.self)
    }

    /// Whether a key path goes through the property or ends there.
    fileprivate func leads(along steps: Steps) -> Bool {
        guard steps.starts(with: text) else { return false }
        let next = steps.dropFirst(text.count).first
        return next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "?")
    }

    /// Follows the rest of a key path from the property's value on, one of a type whose columns begin at a position.
    fileprivate func place(
        along rest: Steps,
        at first: Int,
        through path: [RelatedRows],
        _ relationship: RelationshipSchema?
    ) -> FoundPlace? {
        let type = type(of: keyPath).valueType
        let wrapped = (type as? any OptionalType.Type)?.wrapped
        var rest = rest
        if rest.first == UInt8(ascii: "?") {
            guard wrapped != nil else { return nil }
            rest = rest.dropFirst()
        }
        switch wrapped ?? type {
        case let embedded as any EmbeddedValue.Type:
            guard let columns else { return nil }
            // The first column of an optional struct says whether it is there.
            let start = first + columns.lowerBound + (wrapped == nil ? 0 : 1)
            return embedded.place(along: rest, at: start, through: path)
        case let model as any Stored.Type:
            guard let relationship, relationship.link == nil else { return nil }
            return model.place(along: rest, heldBy: relationship, through: path)
        case let reference as any ReferenceType.Type:
            guard let relationship, relationship.link == nil else { return nil }
            return reference.related.place(along: rest, keyedBy: relationship, through: path)
        default: return nil
        }
    }
}

extension Stored {
    /// Follows the rest of a key path from a value that is held on.
    fileprivate static func place(
        along steps: Steps,
        heldBy relationship: RelationshipSchema,
        through path: [RelatedRows]
    ) -> FoundPlace? {
        let entity = schema.entity
        let hop = RelatedRows(entity, entity.primaryKey, matching: relationship.columns)
        guard let found = place(along: steps, through: path + [hop]) else { return nil }
        // The key is at hand in the holder's own columns; a weak one proves nothing.
        guard relationship.rule != .weak, found.path.count == path.count + 1,
            found.columns.count == 1,
            let part = entity.primaryKey.firstIndex(of: found.columns.lowerBound)
        else { return found }
        let column = relationship.columns[part]
        return FoundPlace(columns: column..<column + 1, path: path)
    }

    /// Follows the rest of a key path from a reference on: to its key, or to a part of that.
    fileprivate static func place(
        along steps: Steps,
        keyedBy relationship: RelationshipSchema,
        through path: [RelatedRows]
    ) -> FoundPlace? {
        guard let first = relationship.columns.first, let last = relationship.columns.last,
            let key = (\Reference<Self>.key as AnyKeyPath).steps.map(Array.init),
            steps.starts(with: key)
        else { return nil }
        let rest = steps.dropFirst(key.count)
        if rest.isEmpty { return FoundPlace(columns: first..<last + 1, path: path) }
        var position = 0
        for part in PrimaryKey.fields {
            if let text = (part.keyPath as AnyKeyPath).steps, rest.elementsEqual(text) {
                let columns = relationship.columns[position..<position + part.columns.count]
                let start = columns[columns.startIndex]
                return FoundPlace(columns: start..<start + columns.count, path: path)
            }
            position += part.columns.count
        }
        return nil
    }
}

extension AnyKeyPath {
    /// The text after the type in the key path's description: `.team?.name`; nil where nothing does.
    fileprivate var steps: Substring.UTF8View? {
        let type = "\\\(String(describing: Self.rootType))"
        let text = debugDescription
        guard text.hasPrefix(type) else { return nil }
        // The end of a chain, where what it leads to becomes optional, is a question mark as well.
        var steps = text.dropFirst(type.count)
        while steps.last == "?" { steps.removeLast() }
        return steps.utf8
    }
}

extension EmbeddedSchema {
    fileprivate var describedProperties: [DescribedProperty] {
        DescribedProperty.all(
            fields.positions.map { keyPath, position in
                (keyPath, position..<position + (fields.widths[keyPath] ?? 1))
            }
        )
    }
}

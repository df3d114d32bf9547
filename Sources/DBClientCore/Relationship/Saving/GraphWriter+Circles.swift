extension GraphWriter {
    /// Throws when values hold themselves by way of others, which nobody could read.
    ///
    /// `rows` are those of the values that the call was given. Where no value holds its own kind, or
    /// every one was new, there is nothing to look for.
    func checkCircles(through rows: RowBuffer) throws {
        guard call.isRecursive, call.hasMetAgain else { return }
        try RelationshipLoader(writer).checkDepth(of: rows)
    }

    /// Throws when values with some keys hold themselves by way of others.
    func checkCircles(throughKeys keys: RowBuffer) throws {
        guard call.isRecursive, call.hasMetAgain else { return }
        let rows = RowBuffer(keys.entity)
        try writer.lookUp(keys) { rows.append(copying: $0) }
        try RelationshipLoader(writer).checkDepth(of: rows)
    }
}

extension EntitySchema {
    /// Whether a value may hold others of its kind, by value and to any depth.
    var mayHoldItself: Bool {
        var seen: Set<EntitySchema> = []
        var following = [self]
        while let entity = following.popLast() {
            for relationship in entity.relationships where !relationship.isByReference {
                guard let target = relationship.target else { continue }
                if target === self { return true }
                if seen.insert(target).inserted { following.append(target) }
            }
        }
        return false
    }
}

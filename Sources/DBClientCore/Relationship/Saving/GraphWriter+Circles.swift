extension GraphWriter {
    /// Throws when values contain themselves through others, or are part of a chain that is too long, which
    /// could not be read.
    ///
    /// `rows` are those of the values that the call was given. Where none can hold its own kind, or
    /// every one was new, there is nothing to look for.
    func checkCircles(through rows: RowBuffer) throws {
        guard call.savesHeld, call.hasMetAgain, rows.entity.mayHoldInCircles else { return }
        try RelationshipLoader(writer).checkDepth(of: rows)
    }

    /// Throws when values with some keys contain themselves through others, or are nested too deep.
    func checkCircles(throughKeys keys: RowBuffer) throws {
        guard call.savesHeld, call.hasMetAgain, keys.entity.mayHoldInCircles else { return }
        let rows = RowBuffer(keys.entity)
        try writer.lookUp(keys) { rows.append(copying: $0) }
        try RelationshipLoader(writer).checkDepth(of: rows)
    }
}

extension EntitySchema {
    /// Whether a value may hold others of its kind, by value and to any depth.
    var mayHoldItself: Bool { reach.contains(self) }

    /// Whether the value, or one that it contains, may contain others of its kind.
    var mayHoldInCircles: Bool { mayHoldItself || reach.contains(where: \.mayHoldItself) }

    /// The entities whose values are held by value, at any depth.
    private var reach: Set<EntitySchema> {
        var seen: Set<EntitySchema> = []
        var following = [self]
        while let entity = following.popLast() {
            for relationship in entity.relationships where !relationship.isByReference {
                guard let target = relationship.target else { continue }
                if seen.insert(target).inserted { following.append(target) }
            }
        }
        return seen
    }
}

/// Where the columns of a ``Selection`` are among the keys of a group, its aggregates and the number of its keys.
struct GroupColumns: Sendable {
    /// The aggregates and window functions that are selected, or what is wrong with a column.
    private(set) var terms: [Result<GroupColumn, DBClientError>] = []
    /// The position of each column.
    private(set) var positions: [Int] = []

    /// - Parameters:
    ///   - parts: What is selected.
    ///   - types: The types as which the keys are read.
    ///   - entity: The entity whose rows are grouped.
    ///   - haveTotals: Whether there are totals beside the groups, so that rows differ in the number of their keys.
    init(
        _ parts: [SelectedRow<some Sendable>.Part],
        _ types: [any ColumnValue.Type],
        of entity: EntitySchema,
        haveTotals: Bool = false
    ) {
        var counts: [Int] = []
        for part in parts {
            switch part {
            case .group(.key(let position, let type))
            where types.indices.contains(position) && types[position] == type:
                positions.append(position)
                continue
            case .group(.key(let position, let type)):
                terms.append(.failure(Self.otherKey(position, type, types, entity)))
            case .group(.term(let term)): terms.append(term)
            case .group(.keyCount) where haveTotals:
                counts.append(positions.count)
                positions.append(0)
                continue
            case .group(.keyCount): terms.append(.failure(Self.notOfGroups(entity)))
            case .fields(_, let model):
                terms.append(.failure(Self.notOfGroups(model.storedEntity)))
            }
            positions.append(types.count + terms.count - 1)
        }
        // The number of keys stands behind the last aggregate.
        for index in counts { positions[index] = types.count + terms.count }
    }

    private static func otherKey(
        _ position: Int,
        _ type: any ColumnValue.Type,
        _ types: [any ColumnValue.Type],
        _ entity: EntitySchema
    ) -> DBClientError {
        let names = types.map { "\($0)" }.joined(separator: ", ")
        return DBClientError(
            .invalidRequest,
            "A key that is selected must be one of the group's, which are \(names); got \(type) at \(position).",
            entity: entity.name
        )
    }

    private static func notOfGroups(_ entity: EntitySchema) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "What is selected of groups must be keys and aggregates.",
            entity: entity.name
        )
    }
}

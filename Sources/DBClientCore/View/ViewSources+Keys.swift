// Which rows of a view changed rows of its sources concern.
extension ViewSources {
    /// How many keys are followed at most; where more rows are concerned, the view is built anew.
    private static var keyLimit: Int { 262_144 }
    /// How many keys a query asks for.
    private static var keysOfQuery: Int { 1_024 }

    /// Returns the values that some columns have, or had, in the rows of a view that changes concern, or nil where there are
    /// too many.
    ///
    /// Some that no row has may be among them.
    ///
    /// The rows of the first source that are concerned are those that have changed, and those that lead to changed rows of
    /// others; a row that leads elsewhere than before has changed itself. From each of them the columns are looked up in what
    /// the rows were and in what they are.
    func keys(
        in places: [Place],
        after changes: ViewChanges,
        in reader: any EngineReader
    ) throws -> Set<[StorageValue]>? {
        let ways = ways(to: places)
        var found: [Set<[StorageValue]>] = nodes.map { _ in [] }
        let columns = columns(of: 0, toward: places, ways)
        changes.forEachRow(of: nodes[0].entity, in: nodes[0].columns) { row in
            found[0].insert(columns.map { StorageValue(row[0, $0]) })
        }
        for (index, node) in nodes.enumerated().dropFirst().reversed() {
            changes.forEachRow(of: node.entity, in: node.columns) { row in
                found[index].insert(node.entity.primaryKey.map { StorageValue(row[0, $0]) })
            }
            let parent = nodes[node.parent].entity
            let wanted = node.parent == 0 ? columns : parent.primaryKey
            if Set(wanted).isSubset(of: node.matching) {
                // The key itself is all that is asked of the rows that lead there.
                let order = wanted.compactMap(node.matching.firstIndex(of:))
                found[node.parent].formUnion(found[index].map { key in order.map { key[$0] } })
            } else {
                try select(wanted, of: parent, where: node.matching, in: found[index], reader) {
                    found[node.parent].insert($0)
                    return found[node.parent].count <= Self.keyLimit
                }
            }
            if found[node.parent].count > Self.keyLimit { return nil }
        }
        if found[0].count > Self.keyLimit { return nil }
        return try extend(found[0], of: columns, to: places, ways, changes, reader)
    }

    /// Returns the values of the columns asked for, given those of the first source.
    private func extend(
        _ rows: Set<[StorageValue]>,
        of columns: [Int],
        to places: [Place],
        _ ways: Set<Int>,
        _ changes: ViewChanges,
        _ reader: any EngineReader
    ) throws -> Set<[StorageValue]>? {
        var rows = rows
        var known = columns.map { Place(node: 0, column: $0) }
        func position(_ place: Place) -> Int? { known.firstIndex(of: place) }
        for (index, node) in nodes.enumerated().dropFirst() where ways.contains(index) {
            let key = node.matching.compactMap {
                position(Place(node: node.parent, column: $0))
            }
            let wanted = self.columns(of: index, toward: places, ways)
            let keys = Set(rows.map { row in key.map { row[$0] } }.filter { !$0.contains(.null) })
            let images = try images(of: index, keys, wanted, changes, reader)
            var next: Set<[StorageValue]> = []
            for row in rows {
                for image in images[key.map { row[$0] }] ?? [] { next.insert(row + image) }
                if next.count > Self.keyLimit { return nil }
            }
            rows = next
            known += wanted.map { Place(node: index, column: $0) }
        }
        let order = places.compactMap(position)
        return Set(rows.map { row in order.map { row[$0] } })
    }

    /// Returns what some columns of rows with some keys were and are.
    private func images(
        of index: Int,
        _ keys: Set<[StorageValue]>,
        _ columns: [Int],
        _ changes: ViewChanges,
        _ reader: any EngineReader
    ) throws -> [[StorageValue]: Set<[StorageValue]>] {
        let entity = nodes[index].entity
        let keyColumns = entity.primaryKey
        var images: [[StorageValue]: Set<[StorageValue]>] = [:]
        changes.forEachRow(of: entity, in: nodes[index].columns) { row in
            let key = keyColumns.map { StorageValue(row[0, $0]) }
            guard keys.contains(key) else { return }
            images[key, default: []].insert(columns.map { StorageValue(row[0, $0]) })
        }
        try select(keyColumns + columns, of: entity, where: keyColumns, in: keys, reader) { row in
            images[Array(row.prefix(keyColumns.count)), default: []]
                .insert(Array(row.dropFirst(keyColumns.count)))
            return true
        }
        return images
    }

    /// Visits some columns of the rows that have one of some keys in others, until `visit` returns false.
    private func select(
        _ columns: [Int],
        of entity: EntitySchema,
        where matching: [Int],
        in keys: Set<[StorageValue]>,
        _ reader: any EngineReader,
        _ visit: ([StorageValue]) -> Bool
    ) throws {
        var left = Array(keys)
        while !left.isEmpty {
            let part = Array(left.suffix(Self.keysOfQuery))
            left.removeLast(part.count)
            var wantsMore = true
            try reader.select(columns, of: RowQuery(entity, where: .keys(matching, in: part))) {
                batch in
                for row in 0..<batch.count where wantsMore {
                    wantsMore = visit(columns.indices.map { StorageValue(batch[row, $0]) })
                }
                return wantsMore
            }
            if !wantsMore { return }
        }
    }

    /// Returns the sources on the ways to some columns, without the first.
    private func ways(to places: [Place]) -> Set<Int> {
        var ways: Set<Int> = []
        for place in places {
            var node = place.node
            while node != 0 {
                ways.insert(node)
                node = nodes[node].parent
            }
        }
        return ways
    }

    /// Returns the columns of a source that are asked for, or that lead to those that are.
    private func columns(of index: Int, toward places: [Place], _ ways: Set<Int>) -> [Int] {
        var columns = Set(places.filter { $0.node == index }.map(\.column))
        for way in ways where nodes[way].parent == index {
            columns.formUnion(nodes[way].matching)
        }
        return columns.sorted()
    }

    /// Returns a condition on the rows of the first source that all of those fulfil which lead to rows of another with some
    /// values, or nil where that takes too many keys.
    ///
    /// For an engine that does not choose for itself where a join begins.
    func reach(
        _ values: [(place: Place, values: [StorageValue])],
        in reader: any EngineReader
    ) throws -> RowCondition? {
        guard var index = values.first(where: { $0.place.node != 0 })?.place.node else {
            return nil
        }
        var condition = RowCondition.all(
            values.filter { $0.place.node == index }
                .map { .isIn(column: $0.place.column, $0.values) }
        )
        while index != 0 {
            let entity = nodes[index].entity
            var keys: [[StorageValue]] = []
            let query = RowQuery(entity, where: condition, limit: Self.keysOfQuery + 1)
            try reader.select(entity.primaryKey, of: query) { batch in
                for row in 0..<batch.count {
                    keys.append(entity.primaryKey.indices.map { StorageValue(batch[row, $0]) })
                }
                return true
            }
            if keys.count > Self.keysOfQuery { return nil }
            condition = keys.isEmpty ? .constant(false) : .keys(nodes[index].matching, in: keys)
            index = nodes[index].parent
        }
        return condition
    }
}

/// How the rows of a stored view are found from those of the models that it is kept from.
struct ViewDefinition<View: StoredView>: ViewUpkeep {
    let sources: ViewSources
    let mark: String
    private let rows: Rows
    /// The fields of the definition's rows that are the view's primary key, in its order, and where they come from.
    private let keyColumns: [Int]
    private let keyPlaces: [ViewSources.Place]

    private enum Rows {
        case groups(GroupedRows<View>, RowGrouping)
        case fields(SelectedFields<View>, RowQuery)

        var query: RowQuery {
            switch self {
            case .groups(_, let grouping): grouping.query
            case .fields(_, let query): query
            }
        }
    }

    var entity: EntitySchema { View.schema.entity }

    var sourceEntities: [EntitySchema] { sources.entities }

    /// - Throws: `.invalidSchema` where the definition is none that can be kept from changed rows.
    init() throws {
        do {
            try self.init(checking: View.definition)
        } catch let refusal as ViewSources.Refusal {
            throw Self.refused(refusal.reason)
        }
    }

    private init(checking request: SelectRequest<View>) throws {
        let entity = View.schema.entity
        // What each field of the view is; nil for an aggregate.
        let selected: [RowGrouping.Key?]
        if let groups = request.groups, !groups.isMapped, !groups.positions.isEmpty,
            groups.plan.isOfStoredShape
        {
            let grouping = try groups.plan.grouping.get()
            guard !groups.plan.hasWindows, groups.plan.resolvedWindow.isWhole else {
                throw Self.refused("must have no sort, limit, offset or window of its groups")
            }
            selected = groups.positions.map {
                $0 < grouping.keys.count ? grouping.keys[$0] : nil
            }
            guard
                Set(groups.positions.filter { $0 < grouping.keys.count }).count
                    == grouping.keys.count
            else {
                throw Self.refused("must select every key of its groups, as the view's primary key")
            }
            rows = .groups(groups, grouping)
        } else if let fields = request.fields, !fields.isMapped, fields.plan.isOfStoredShape {
            rows = .fields(fields, try fields.plan.query())
            selected = fields.plan.fields
        } else {
            throw Self.refused(
                "must select into the view, either groups or fields of each value, of stored models"
            )
        }
        try Self.check(rows.query)
        guard selected.count == entity.fields.count, entity.isFlat, entity.keyGeneration == .given
        else {
            throw Self.refused("must select every property of the view, which holds no models")
        }
        var sources = try ViewSources(of: rows.query)
        for key in selected { if let key { try sources.look(at: key) } }
        if case .groups(_, let grouping) = rows {
            for key in grouping.keys + grouping.allTerms.compactMap(\.operand) {
                try sources.look(at: key)
            }
        }
        if let view = sources.entities.first(where: \.isView) {
            throw Self.refused("must not be of another view, such as \(view.name)")
        }
        keyColumns = try Self.keyColumns(selected, rows, sources)
        keyPlaces = keyColumns.map { sources.place(of: $0) }
        var text = ViewText(sources)
        text.add(view: entity)
        text.addSources()
        switch rows {
        case .groups(let groups, let grouping):
            text.add(grouping)
            text.add("\(groups.positions)")
        case .fields(_, let query):
            text.add(query)
            for key in selected { if let key { text.add(key) } }
        }
        mark = EntityViews.mark(of: text.text)
        self.sources = sources
    }

    /// Returns the fields of the definition's rows that are the view's primary key, in its order.
    private static func keyColumns(
        _ selected: [RowGrouping.Key?],
        _ rows: Rows,
        _ sources: ViewSources
    ) throws -> [Int] {
        let entity = View.schema.entity
        let query = rows.query
        let columns = entity.primaryKey.compactMap { position -> Int? in
            guard let key = selected[position], key.isOwnField,
                !query.entity.fields[key.column].isOptional
            else { return nil }
            return key.column
        }
        switch rows {
        case .groups(_, let grouping):
            guard columns.count == entity.primaryKey.count,
                Set(columns) == Set(grouping.keys.map(\.column)),
                columns.count == grouping.keys.count
            else {
                throw refused(
                    """
                    must be grouped by fields of the models that are not optional, which are the view's primary key; join a \
                    related model to group by a field of it
                    """
                )
            }
        case .fields:
            let key = sources.nodes[0].entity.primaryKey
            guard columns.count == entity.primaryKey.count, columns.count == key.count,
                Set(columns) == Set(key)
            else {
                throw refused(
                    "must select the primary key of the first model, which is the view's as well"
                )
            }
        }
        return columns
    }

    func keys(
        after changes: ViewChanges,
        in reader: any EngineReader
    ) throws -> Set<[StorageValue]>? {
        try sources.keys(in: keyPlaces, after: changes, in: reader)
    }

    func rows(of keys: [[StorageValue]]?, in reader: any EngineReader) throws -> RowBuffer {
        var query = rows.query
        let joins = try query.join != nil && !reader.canJoin(query)
        if let keys {
            let narrow = try condition(for: keys, joins, reader)
            query.condition = .guardedConjunction(narrow, query.condition)
        }
        let reader: any EngineReader = joins ? JoiningReader(reader) : reader
        var views: [View] = []
        switch rows {
        case .groups(let groups, var grouping):
            grouping.query = query
            try reader.groups(grouping) { try groups.decode($0, &views) }
        case .fields(let fields, _):
            try reader.select(fields.plan.fields, of: query) { batch in
                for row in 0..<batch.count {
                    let slots = batch.slots + row * batch.columnCount
                    try fields.decode(
                        UnsafeBufferPointer(start: slots, count: batch.columnCount),
                        &views
                    )
                }
                return true
            }
        }
        let rows = RowBuffer(entity)
        try View.encode(views, in: 0..<views.count, to: rows)
        try rows.checkKeyLengths()
        return rows
    }

    /// Returns the condition of the definition's rows that rows of the view with some keys come from.
    private func condition(
        for keys: [[StorageValue]],
        _ joins: Bool,
        _ reader: any EngineReader
    ) throws -> RowCondition {
        let condition = RowCondition.keys(keyColumns, in: keys)
        if Set(keyPlaces.map(\.node)) == [0] { return condition }
        // What each field is by itself, which chooses among the rows of its own model before they are joined.
        let values = keyPlaces.indices.map { index in
            (place: keyPlaces[index], values: Array(Set(keys.map { $0[index] })))
        }
        var conditions = zip(keyColumns, values).map { column, field in
            RowCondition.isIn(column: column, field.values)
        }
        if joins, let first = try sources.reach(values, in: reader) { conditions.append(first) }
        return .all(keyColumns.count == 1 ? conditions : conditions + [condition])
    }

    private static func check(_ query: RowQuery) throws {
        guard query.limit == nil, query.offset == 0, query.walk == nil, !query.isRanked,
            !query.condition.canFail,
            query.join?.parts.allSatisfy({ !$0.condition.canFail }) ?? true
        else {
            throw refused(
                """
                must choose values by conditions that have an answer for every value, without a limit, an offset, a walk or a \
                sort by a score
                """
            )
        }
    }

    private static func refused(_ what: String) -> DBClientError {
        DBClientError(
            .invalidSchema,
            "The definition of a stored view \(what).",
            entity: View.schema.entity.name
        )
    }
}

extension EntityViews {
    /// Returns a short text that differs where another does, by FNV-1a in 64 bits.
    static func mark(of text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

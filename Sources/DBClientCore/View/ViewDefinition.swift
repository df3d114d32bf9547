/// How the rows of a stored view are found from those of the model that it is kept from.
struct ViewDefinition<View: StoredView>: ViewUpkeep {
    let keyColumns: [Int]
    let mark: String
    /// The entity whose rows the view is kept from.
    let base: EntitySchema
    private let source: Source

    private enum Source {
        case groups(GroupedRows<View>, RowGrouping)
        case fields(SelectedFields<View>, RowQuery)
    }

    var entity: EntitySchema { View.schema.entity }

    /// - Throws: `.invalidSchema` where the definition is none that can be kept from changed rows.
    init() throws {
        let request = View.definition
        let query: RowQuery
        let keys: [RowGrouping.Key?]
        let words: String
        if let groups = request.groups, !groups.isMapped, !groups.positions.isEmpty {
            let grouping = try groups.plan.grouping.get()
            guard !groups.plan.hasWindows, groups.plan.resolvedWindow.isWhole else {
                throw Self.refused("must have no sort, limit, offset or window of its groups")
            }
            let places = groups.positions.map { $0 < grouping.keys.count ? $0 : nil }
            guard Set(places.compactMap { $0 }).count == grouping.keys.count else {
                throw Self.refused("must select every key of its groups, as the view's primary key")
            }
            keys = places.map { $0.map { grouping.keys[$0] } }
            query = grouping.query
            source = .groups(groups, grouping)
            words = "\(grouping.keys) \(grouping.terms) \(grouping.condition) \(groups.positions)"
            try Self.check(grouping.allTerms.compactMap(\.operand), of: query.entity)
        } else if let fields = request.fields, !fields.isMapped {
            query = try fields.plan.query()
            keys = fields.plan.fields
            source = .fields(fields, query)
            words = "\(fields.plan.fields)"
        } else {
            throw Self.refused(
                "must select into the view, either groups of one model or fields of its values"
            )
        }
        base = query.entity
        try Self.check(query)
        try Self.check(keys.compactMap { $0 }, of: base)
        let entity = View.schema.entity
        guard keys.count == entity.fields.count, entity.isFlat, entity.keyGeneration == .given
        else {
            throw Self.refused("must select every property of the view, which holds no models")
        }
        let isGrouped = request.groups != nil
        let keyColumns = entity.primaryKey.compactMap { position -> Int? in
            guard let key = keys[position], key.isOwnField else { return nil }
            return key.column
        }
        let columnsOfKey =
            isGrouped ? keys.compactMap { $0?.column } : query.entity.primaryKey
        guard keyColumns.count == entity.primaryKey.count,
            Set(keyColumns) == Set(columnsOfKey), keyColumns.count == columnsOfKey.count,
            keyColumns.allSatisfy({ !query.entity.fields[$0].isOptional })
        else {
            throw Self.refused(
                isGrouped
                    ? "must be grouped by fields of the model, which are the view's primary key"
                    : "must select the primary key of the model, which is the view's as well"
            )
        }
        self.keyColumns = keyColumns
        let fields = query.entity.fields.map { "\($0.name) \($0.form)" }
        let own = entity.fields.map { "\($0.name) \($0.form) \($0.isOptional)" }
        let text = [
            query.entity.name, "\(fields)", "\(query.condition)", words, "\(own)",
            "\(entity.primaryKey)",
        ]
        mark = EntityViews.mark(of: text.joined(separator: " "))
    }

    func rows(of keys: [[StorageValue]]?, in reader: any EngineReader) throws -> RowBuffer {
        func narrowed(_ query: RowQuery) -> RowQuery {
            guard let keys else { return query }
            var query = query
            query.condition = .guardedConjunction(.keys(keyColumns, in: keys), query.condition)
            return query
        }
        var views: [View] = []
        switch source {
        case .groups(let groups, var grouping):
            grouping.query = narrowed(grouping.query)
            try reader.groups(grouping) { try groups.decode($0, &views) }
        case .fields(let fields, let query):
            try reader.select(fields.plan.fields, of: narrowed(query)) { batch in
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

    private static func check(_ query: RowQuery) throws {
        guard query.limit == nil, query.offset == 0,
            query.unorderedUnlessLimited.isDecidedByOwnRows,
            !query.condition.reachesRelatedRows
        else {
            throw refused("must choose values by their own fields, without a limit or an offset")
        }
        if query.entity.isView { throw refused("must not be of another view") }
    }

    private static func check(_ fields: [RowGrouping.Key], of entity: EntitySchema) throws {
        if fields.contains(where: { !$0.path.isEmpty || $0.window != nil }) {
            throw refused("must be of the model's own fields, without windows")
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

extension DynamicGroupRequest {
    /// Visits the groups in the request's order.
    func forEach(
        in transaction: ReadTransaction,
        _ visit: (DynamicGroup) throws -> Void
    ) throws {
        let query = try request.rowQuery()
        let entity = query.entity
        if keys.isEmpty {
            throw DBClientError(
                .invalidRequest,
                "A grouping must name at least one field.",
                entity: entity.name
            )
        }
        let columns = try keys.map { try entity.column(named: $0) }
        var grouping = RowGrouping(
            query,
            by: columns.map { RowGrouping.Key($0) },
            terms: try functions.filter { !$0.isWindow }.map { try $0.term(of: entity) },
            where: try conditions.reduce(.constant(true)) { all, one in
                let condition = try one.row(of: entity)
                return all == .constant(true) ? condition : .all([all, condition])
            }
        )
        var window = GroupWindow()
        window.limit = limit
        window.offset = offset
        window.orderings = try sorts.map { .success(try ordering($0, of: entity)) }
        if let failure = window.failure { throw failure }
        func visitGroup(_ slots: UnsafeBufferPointer<Slot>) throws {
            let values = try functions.enumerated().map { index, function in
                try function.value(slots[columns.count + index], of: entity)
            }
            try visit(
                DynamicGroup(
                    keys: try zip(slots, columns).map { try entity.dynamicValue($0, at: $1) },
                    values: values
                )
            )
        }
        if let columns = try self.columns(of: entity) {
            let rows = try GroupWindowRows(columns, in: &grouping)
            try window.resolve(in: &grouping)
            return try rows.visit(grouping, window, in: transaction, visitGroup)
        }
        try window.resolve(in: &grouping)
        try window.visit(grouping, in: transaction, visitGroup)
    }

    func ordering(_ sort: Sort, of entity: EntitySchema) throws -> GroupWindow.Ordering {
        switch sort {
        case .function(let function, let isDescending):
            return GroupWindow.Ordering(
                .term(try function.term(of: entity)),
                isDescending: isDescending,
                nilsFirst: !isDescending
            )
        case .key(let name, let isDescending):
            return GroupWindow.Ordering(
                .key(try place(of: name, in: entity)),
                isDescending: isDescending,
                nilsFirst: !isDescending
            )
        }
    }
}

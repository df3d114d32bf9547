// Rows that are observed: groups, and fields of one model or of joined ones.
extension ObservationSource {
    /// Begins to observe rows that are groups.
    func rows<Row: Sendable>(_ groups: GroupedRows<Row>) throws -> any ResultSteps {
        var grouping = try groups.plan.grouping.get()
        grouping.query = grouping.query.unorderedUnlessLimited
        let upkeep = groups.upkeep(of: grouping)
        guard upkeep.isKept else { return try readAgain { try groups.version(in: $0) } }
        let (hub, subscriber) = try subscriber(ObserverIdentity())
        let id = SharedGroupsID(grouping, groups, for: subscriber)
        return KeptRows(subscriber, sharedBy: id, hub) { [grouping] in
            let window = groups.plan.resolvedWindow
            let shape = GroupShape(grouping, window)
            return LiveEntries(grouping.query, limit: window.limit, offset: window.offset, hub) {
                try KeptGroups(shape, in: $0) { slots, bytes in
                    groups.entry(
                        GroupShape.key(of: slots, shape.keys.count, window, bytes),
                        slots
                    )
                }
            }
        }
    }

    /// Begins to observe rows that are made of fields.
    func rows<Row: Sendable>(_ fields: SelectedFields<Row>) throws -> any ResultSteps {
        let query = try fields.plan.query()
        let upkeep = try Upkeep.ofSelection(fields)
        guard upkeep.isKept else { return try readAgain { try fields.version(in: $0) } }
        let (hub, subscriber) = try subscriber(ObserverIdentity())
        let id = SharedSelectionID(query, fields, for: subscriber)
        var all = query
        (all.limit, all.offset) = (nil, 0)
        return KeptRows(subscriber, sharedBy: id, hub) { [all] in
            LiveEntries(all, limit: query.limit, offset: query.offset, hub) { reader in
                if upkeep == .keptByWindows {
                    return try KeptWindows(fields.plan.fields, of: query, in: reader) {
                        fields.entry($0, $1)
                    }
                }
                return try KeptSelection(fields.plan.fields, of: all, in: reader) {
                    fields.entry($0, $1)
                }
            }
        }
    }

    private func readAgain(
        _ read: @escaping @Sendable (ReadTransaction) throws -> ResultVersion
    ) throws -> any ResultSteps {
        RefetchedRows(
            try value(read) {
                ResultDifference(from: $0, to: $1, isSame: ValuesEntry.isSame).isEmpty
            }
        )
    }
}

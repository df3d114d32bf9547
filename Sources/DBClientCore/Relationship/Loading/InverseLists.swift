/// Finds the values that lead to each of some values: by one query, and one more for the links where these lead.
struct InverseLists<Owner: Stored> {
    private let hops: [RelatedRows]
    private let transaction: ReadTransaction

    /// - Parameters:
    ///   - hops: The way from a value to those that lead to it, one hop or two by way of links.
    ///   - transaction: What reads the values.
    /// - Throws: `.invalidSchema` where the other model cannot be stored.
    init(through hops: [RelatedRows], in transaction: ReadTransaction) throws {
        self.hops = hops
        self.transaction = transaction
        try Owner.schema.entity.validate()
    }

    /// Returns the values that lead to each model, in the order of their keys, each once.
    ///
    /// - Parameters:
    ///   - models: The models.
    ///   - areAll: Whether they are all of their model, so that no condition is needed.
    /// - Returns: A list for each model.
    /// - Throws: What reading throws.
    func lists<Model: Stored>(of models: [Model], areAll: Bool) throws -> [[Owner]] {
        guard !models.isEmpty else { return [] }
        let entity = Model.schema.entity
        let keys = RowBuffer(entity, columns: entity.primaryKey)
        for model in models { try Model.encode(key: model.primaryKey, to: keys) }
        var targets = KeyTable(entity)
        let targetOfModel = models.indices.map { Int(targets.insert(keys, row: $0)) }
        let (rows, targetsOfRow) =
            hops.count > 1 ? try linked(to: targets, areAll) : try direct(to: targets, areAll)
        let owners = try transaction.reader().models(Owner.self, of: rows)
        var lists = [[Owner]](repeating: [], count: targets.count)
        for (owner, targets) in zip(owners, targetsOfRow) {
            for target in targets { lists[Int(target)].append(owner) }
        }
        return targetOfModel.map { lists[$0] }
    }

    /// Returns the rows whose columns have the keys of targets, and which each has.
    private func direct(
        to targets: KeyTable,
        _ areAll: Bool
    ) throws -> (RowBuffer, [[Int32]]) {
        let rows = RowBuffer(hops[0].entity)
        var targetsOfRow: [[Int32]] = []
        try visit(hops[0], targets, areAll) { row, target in
            rows.append(copying: row)
            targetsOfRow.append([target])
        }
        return (rows, targetsOfRow)
    }

    /// Returns the rows that have links to targets, and which each leads to.
    private func linked(
        to targets: KeyTable,
        _ areAll: Bool
    ) throws -> (RowBuffer, [[Int32]]) {
        let entity = hops[1].entity
        let owner = KeyColumns(hops[1].matching)
        var owners = KeyTable(entity)
        var targetsOfOwner: [[Int32]] = []
        try visit(hops[0], targets, areAll) { link, target in
            let position = Int(owners.insert(owner.key(of: link)))
            if position == targetsOfOwner.count { targetsOfOwner.append([]) }
            // A list may hold one value several times.
            if !targetsOfOwner[position].contains(target) {
                targetsOfOwner[position].append(target)
            }
        }
        let rows = RowBuffer(entity)
        var targetsOfRow: [[Int32]] = []
        if owners.count == 0 { return (rows, targetsOfRow) }
        let key = KeyColumns(entity.primaryKey)
        let query = RowQuery(entity, where: .keys(entity.primaryKey, in: owners.keys))
        try transaction.scan(query) { batch in
            for index in 0..<batch.count {
                let row = batch.slots + index * batch.columnCount
                guard let position = owners.position(of: key.key(of: row)) else { continue }
                rows.append(copying: row)
                targetsOfRow.append(targetsOfOwner[Int(position)])
            }
            return true
        }
        return (rows, targetsOfRow)
    }

    /// Calls a function with each row that has the key of a target in the columns of a hop, in the order of the rows' keys.
    private func visit(
        _ hop: RelatedRows,
        _ targets: KeyTable,
        _ areAll: Bool,
        _ body: (_ row: UnsafePointer<Slot>, _ target: Int32) -> Void
    ) throws {
        let isHere: RowCondition =
            areAll ? .constant(true) : .keys(hop.columns, in: targets.keys)
        let column = KeyColumns(hop.columns)
        try transaction.scan(RowQuery(hop.entity, where: isHere)) { batch in
            for index in 0..<batch.count {
                let row = batch.slots + index * batch.columnCount
                let key = column.key(of: row)
                if SlotKey(slots: key, count: hop.columns.count).isNull { continue }
                if let target = targets.position(of: key) { body(row, target) }
            }
            return true
        }
    }
}

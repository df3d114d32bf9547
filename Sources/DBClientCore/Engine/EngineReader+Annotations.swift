extension EngineReader {
    /// Reads the rows of a query, and puts beside each what groups of the rows that belong to them come to: for an engine
    /// that has a way of its own, but not for every annotation.
    ///
    /// Annotations of the same rows are of one grouping.
    public func annotateScannedRows(
        _ query: RowQuery,
        with annotations: [RowAnnotation],
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let rows = RowBuffer(query.entity)
        try scan(query) {
            rows.append(copying: $0)
            return true
        }
        if rows.count == 0 { return }
        let areAll =
            query.condition == .constant(true) && query.limit == nil && query.offset == 0
        var groups: [AnnotationGroups] = []
        var places: [(group: Int, term: Int)] = []
        for annotation in annotations {
            let known = groups.firstIndex { $0.rows == annotation.rows }
            let group = known ?? groups.count
            if known == nil { groups.append(AnnotationGroups(annotation.rows)) }
            places.append((group, groups[group].add(annotation)))
        }
        for group in groups { try group.load(belongingTo: areAll ? nil : rows, in: self) }
        var slots: [Slot] = []
        try withExtendedLifetime(groups) {
            try rows.withBatch { batch in
                for index in 0..<batch.count {
                    let row = batch.slots + index * batch.columnCount
                    slots.removeAll(keepingCapacity: true)
                    slots.append(
                        contentsOf: UnsafeBufferPointer(start: row, count: batch.columnCount)
                    )
                    for group in groups { group.find(row) }
                    for (group, term) in places { slots.append(groups[group].value(of: term)) }
                    try slots.withUnsafeBufferPointer(visit)
                }
            }
        }
    }
}

/// What the rows that belong to others come to, by the columns that these match.
private final class AnnotationGroups {
    let rows: RelatedRows
    private var annotations: [RowAnnotation] = []
    private let table: GroupTable
    private let bytes: RowBuffer
    /// The values of each group.
    private var values: [Slot] = []
    private var found: Int?

    init(_ rows: RelatedRows) {
        self.rows = rows
        table = GroupTable(rows.entity, Array(rows.columns.indices))
        bytes = RowBuffer(rows.entity, columns: [])
    }

    /// Adds what is computed of the rows, and returns its place.
    func add(_ annotation: RowAnnotation) -> Int {
        annotations.append(annotation)
        return annotations.count - 1
    }

    /// Groups the rows that belong to some others, or all.
    func load(belongingTo others: RowBuffer?, in reader: some EngineReader) throws {
        var condition = rows.condition
        if let others {
            var keys = Set<[StorageValue]>()
            others.withBatch { batch in
                for row in 0..<batch.count {
                    let key = rows.matching.map { StorageValue(batch[row, $0]) }
                    if !key.contains(.null) { keys.insert(key) }
                }
            }
            condition = .guardedConjunction(.keys(rows.columns, in: Array(keys)), condition)
        }
        let grouping = RowGrouping(
            RowQuery(rows.entity, where: condition),
            by: rows.columns.map { RowGrouping.Key($0) },
            terms: annotations.map(\.term)
        )
        let width = rows.columns.count
        try reader.groups(grouping) { group in
            guard let start = group.baseAddress,
                table.find(start) * annotations.count == values.count
            else { return }
            for index in annotations.indices { values.append(bytes.owned(group[width + index])) }
        }
    }

    /// Finds the group of the rows that belong to a row.
    func find(_ row: UnsafePointer<Slot>) {
        let key = rows.matching.map { row[$0] }
        found =
            key.contains(where: \.isNull)
            ? nil
            : key.withUnsafeBufferPointer { $0.baseAddress.flatMap { table.position(of: $0) } }
    }

    /// What a place comes to for the row whose group was found last.
    func value(of place: Int) -> Slot {
        found.map { values[$0 * annotations.count + place] } ?? annotations[place].ofNone
    }
}

/// A field of the rows that rows lead to by a path, or what is computed from fields there, looked up for all of them
/// together.
struct RelatedColumn {
    /// The value for each row.
    private let slots: [Slot]
    /// The buffer that the slots borrow from.
    private let found: RowBuffer?

    init(_ ordering: RowOrdering, of rows: RowBuffer, in reader: any EngineReader) throws {
        var current = rows
        // Where among the current rows each row has led, or -1.
        var places = Array(0..<rows.count)
        for hop in ordering.path {
            (current, places) = try Self.follow(hop, from: current, places, in: reader)
        }
        guard let expression = ordering.expression else {
            slots = places.map { $0 < 0 ? .null : current.batch[$0, ordering.column] }
            found = current
            return
        }
        let computed =
            expression.isRank
            ? try reader.expression(withFiguresFor: expression, of: current.entity) : expression
        let program = ExpressionProgram(computed, of: current.entity)
        let bytes = RowBuffer(current.entity, columns: [])
        slots = try places.map { place in
            bytes.owned(
                try place < 0
                    ? program.value(for: AbsentRow())
                    : program.value(for: BatchRow(batch: current.batch, row: place))
            )
        }
        found = bytes
    }

    func slot(_ row: Int) -> Slot { slots[row] }

    private static func follow(
        _ hop: RelatedRows,
        from rows: RowBuffer,
        _ places: [Int],
        in reader: any EngineReader
    ) throws -> (RowBuffer, [Int]) {
        var keys = KeyTable(hop.entity)
        let matching = KeyColumns(hop.matching)
        defer { withExtendedLifetime(rows) {} }
        let batch = rows.batch
        let positions = places.map { place -> Int in
            if place < 0 { return -1 }
            let key = matching.key(of: batch.slots + place * batch.columnCount)
            let isNull = SlotKey(slots: key, count: hop.matching.count).isNull
            return isNull ? -1 : Int(keys.insert(key))
        }
        let found = RowBuffer(hop.entity)
        var placeOfKey = [Int](repeating: -1, count: keys.count)
        guard keys.count > 0 else { return (found, positions) }
        let primaryKey = KeyColumns(hop.entity.primaryKey)
        try reader.lookUp(keys.keys) { batch in
            for row in 0..<batch.count {
                let slots = batch.slots + row * batch.columnCount
                if let position = keys.position(of: primaryKey.key(of: slots)) {
                    placeOfKey[Int(position)] = found.count
                }
                found.append(copying: slots)
            }
        }
        return (found, positions.map { $0 < 0 ? -1 : placeOfKey[$0] })
    }
}

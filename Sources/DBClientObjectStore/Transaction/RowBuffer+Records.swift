import DBClientCore

extension RowBuffer {
    /// Appends a record, its text and data copied.
    func append(copying record: Record) throws {
        try record.verify()
        try append(copying: record.slot)
    }

    /// Appends a row, given the slot of each column, its text and data copied.
    func append(copying slot: (Int) -> Slot) throws {
        var row = try beginRow()
        for column in columns {
            let slot = slot(column)
            switch slot.kind {
            case .text: try row.put(.text(copy(slot.bytes)))
            case .data: try row.put(.data(copy(slot.bytes)))
            default: try row.put(slot)
            }
        }
        try endStoredRow(row)
    }
}

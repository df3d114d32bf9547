import DBClientCore

/// One stored row: its slots and the bytes they borrow, all in one piece of memory, never changed.
final class MemoryRow: SlotSource, @unchecked Sendable {
    private let slots: UnsafeMutableBufferPointer<Slot>
    private let bytes: UnsafeMutableRawBufferPointer

    /// Copies slots and what they borrow.
    init(copying source: some Collection<Slot>) {
        let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: source.count)
        _ = slots.initialize(from: source)
        let borrowed = slots.indices.filter { slots[$0].hasBytes }
        let bytes = UnsafeMutableRawBufferPointer.allocate(
            byteCount: borrowed.reduce(0) { $0 + slots[$1].bytes.count },
            alignment: 1
        )
        var position = 0
        for column in borrowed {
            let original = slots[column].bytes
            let copy = UnsafeMutableRawBufferPointer(
                rebasing: bytes[position..<position + original.count]
            )
            copy.copyMemory(from: original)
            position += original.count
            slots[column] =
                slots[column].kind == .text
                ? .text(UnsafeRawBufferPointer(copy)) : .data(UnsafeRawBufferPointer(copy))
        }
        self.slots = slots
        self.bytes = bytes
    }

    /// Copies a row of a batch.
    convenience init(_ batch: RowBatch, at row: Int) {
        self.init(copying: (0..<batch.columnCount).map { batch[row, $0] })
    }

    deinit {
        slots.deallocate()
        bytes.deallocate()
    }

    func slot(_ column: Int) -> Slot {
        slots[column]
    }

    /// Returns owned copies of some of the values.
    func values(at columns: [Int]) -> [StorageValue] {
        columns.map { StorageValue(slots[$0]) }
    }

    /// Returns the row with some of its values replaced.
    func setting(_ assignments: RowAssignments) -> MemoryRow {
        var changed = Array(slots)
        for column in assignments.columns { changed[column] = assignments.values[0, column] }
        return MemoryRow(copying: changed)
    }

    /// Calls a function with the row as a batch of one.
    func withBatch<Result>(
        of entity: EntitySchema,
        _ body: (RowBatch) throws -> Result
    ) rethrows -> Result {
        guard let start = slots.baseAddress else {
            return try RowBuffer(entity).withBatch(body)
        }
        return try withExtendedLifetime(self) {
            try body(
                RowBatch(
                    slots: UnsafePointer(start),
                    columnCount: slots.count,
                    count: 1,
                    entity: entity
                )
            )
        }
    }
}

extension Slot {
    fileprivate var hasBytes: Bool { kind == .text || kind == .data }
}

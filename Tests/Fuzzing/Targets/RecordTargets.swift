import DBClientCore
import Foundation

@testable import DBClientObjectStore

extension FuzzTarget {
    private static let entity = FuzzedModel.schema.entity
    private static let layout = RecordLayout(
        entity.fields,
        columns: Array(entity.fields.indices),
        version: 1
    )

    /// Records of an object store.
    static let records = FuzzTarget("records") {
        let rows = try FuzzedModel.rows(FuzzedModel.samples)
        return FuzzedModel.samples.indices.map { record(rows.batch.slots + $0 * layout.fieldCount) }
    } decode: { input in
        // What would be refused by its checksum alone is given the right ones.
        if input.count >= layout.fixedSize, let start = input.baseAddress {
            start.storeBytes(of: layout.version, toByteOffset: 4, as: UInt16.self)
            start.storeBytes(
                of: RecordLayout.checksumOfFixedPart(start, layout.fixedSize),
                toByteOffset: 6,
                as: UInt16.self
            )
            start.storeBytes(of: RecordLayout.checksum(of: start, input.count), as: UInt32.self)
        }
        let record = try Record(UnsafeRawBufferPointer(input), layout)
        try record.verify()
        try record.verifyFixedPart()
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: layout.fieldCount)
        defer { slots.deallocate() }
        record.fill(slots, layout)
        for column in 0..<layout.fieldCount {
            let (one, all) = (record.slot(column), slots[column])
            try require(
                one.kind == all.kind
                    && (one.kind == .real ? one.bits == all.bits : Slot.compare(one, all) == 0),
                "Column \(column) must be the same alone and with the others."
            )
        }
        var reader = RowBatch(
            slots: slots,
            columnCount: layout.fieldCount,
            count: 1,
            entity: entity
        )
        .reader(at: 0)
        _ = try FuzzedModel(row: &reader)
    }

    /// Entries of an object store's journal.
    static let journalEntries = FuzzTarget("journal-entries") {
        let rows = try FuzzedModel.rows(FuzzedModel.samples)
        let log = RowLog(entity)
        let batches = FuzzedModel.samples.indices.map { row in
            RowBatch(
                slots: rows.batch.slots + row * layout.fieldCount,
                columnCount: layout.fieldCount,
                count: 1,
                entity: entity
            )
        }
        withExtendedLifetime(rows) {
            log.append(before: nil, after: batches[0])
            log.append(before: batches[0], after: batches[1])
        }
        let units = [
            CapturedUnit(logs: [log], unseen: .none), CapturedUnit(logs: [], unseen: .all),
        ]
        return [try JournalEntry.bytes(of: units, watched: [entity.exactName]) { _ in layout }]
    } decode: { input in
        if input.count >= ChecksummedInput.headerSize, let start = input.baseAddress {
            start.storeBytes(of: 1, toByteOffset: 4, as: UInt16.self)
            start.storeBytes(of: checksum(start + 4, input.count - 4), as: UInt32.self)
        }
        let units = JournalEntry.units(
            of: UnsafeRawBufferPointer(input),
            observed: [entity.exactName: entity]
        ) { _ in layout }
        for log in (units ?? []).flatMap(\.logs) {
            for position in 0..<log.count {
                let (before, after) = log[position]
                for row in [before, after] {
                    guard var reader = row?.reader(at: 0) else { continue }
                    _ = try? FuzzedModel(row: &reader)
                }
            }
        }
    }

    /// Returns the record of a row.
    private static func record(_ slots: UnsafePointer<Slot>) -> [UInt8] {
        let size = layout.size(of: slots)
        var bytes = [UInt8](repeating: 0, count: size)
        bytes.withUnsafeMutableBytes {
            if let start = $0.baseAddress { layout.write(slots, to: start, size: size) }
        }
        return bytes
    }
}

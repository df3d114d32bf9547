import DBClientCore
import Foundation
import Testing

@testable import DBClientObjectStore

@Suite struct CodecTests {
    /// Encodes values as one key of an index.
    private func key(_ values: [StorageValue], isFixed: Bool = false) -> [UInt8] {
        var writer = KeyWriter()
        defer { writer.deallocate() }
        for value in values { value.withSlot { writer.append(indexed: $0, isFixed: isFixed) } }
        return Array(writer.bytes)
    }

    private func isAscending(_ values: [StorageValue]) -> Bool {
        let keys = values.map { key([$0, .integer(0)]) }
        return zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
    }

    @Test func integersComeInTheirOrder() {
        #expect(isAscending([.null] + [Int64.min, -256, -1, 0, 1, 255, .max].map { .integer($0) }))
    }

    @Test func doublesComeInTheirOrder() {
        let values: [Double] = [
            -.infinity, -1e300, -2, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1, 2,
            1e300, .infinity,
        ]
        #expect(isAscending([.null] + values.map { .real($0) }))
    }

    @Test func textComesInTheOrderOfItsBytes() {
        let values = ["", "\u{1}", "a", "a\u{1}", "aa", "ab", "b", "é", "\u{FFFF}", "\u{10000}"]
        #expect(isAscending([.null] + values.map { .text($0) }))
    }

    @Test func dataWithZerosComesInTheOrderOfItsBytes() {
        let values: [[UInt8]] = [[], [0], [0, 0], [0, 1], [0, 255], [1], [1, 0], [255]]
        #expect(isAscending([.null] + values.map { .data($0) }))
    }

    private static let entity = EveryField.schema.entity
    private static let layout = RecordLayout(
        entity.fields,
        columns: Array(entity.fields.indices),
        version: 3
    )

    /// Returns a row with a value of each kind, among them one that is absent and one that is empty.
    private func row() throws -> RowBuffer {
        let rows = RowBuffer(Self.entity)
        var row = try rows.beginRow()
        try row.write(-5)
        try row.write("")
        try row.write(nil as String?)
        try row.write("middle")
        try row.write(true)
        try row.write(Data([1, 0, 2]))
        try row.write(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
        try row.write(2.5)
        try rows.endRow(row)
        return rows
    }

    @Test func aRecordReadsBackEveryField() throws {
        let (entity, layout) = (Self.entity, Self.layout)
        let rows = try row()
        let size = layout.size(of: rows.batch.slots)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
        defer { memory.deallocate() }
        layout.write(rows.batch.slots, to: memory, size: size)
        let bytes = UnsafeRawBufferPointer(start: memory, count: size)
        let record = try Record(bytes, layout)
        try record.verify()
        for column in entity.fields.indices {
            #expect(Slot.compare(record.slot(column), rows.batch[0, column]) == 0)
            #expect(record.slot(column).kind == rows.batch[0, column].kind)
        }
        for position in 0..<size {
            for bit in 0..<8 where position < 4 || position > 5 {
                let byte = memory + position
                let old = byte.load(as: UInt8.self)
                byte.storeBytes(of: old ^ 1 << bit, as: UInt8.self)
                #expect(throws: DBClientError.self, "byte \(position), bit \(bit)") {
                    try Record(bytes, layout).verify()
                }
                // Looking at a damaged record is memory-safe before it is verified.
                if let damaged = try? Record(bytes, layout) {
                    for column in entity.fields.indices {
                        _ = StorageValue(safe: damaged.slot(column))
                    }
                }
                byte.storeBytes(of: old, as: UInt8.self)
            }
        }
        #expect(throws: DBClientError.self) {
            try Record(UnsafeRawBufferPointer(start: memory, count: layout.fixedSize - 1), layout)
        }
    }

    /// Returns the bytes of a row's record.
    private func bytes(_ slots: UnsafePointer<Slot>, size: Int? = nil) -> [UInt8] {
        let size = size ?? Self.layout.size(of: slots)
        // What is there before must not show.
        var bytes = [UInt8](repeating: 0xA5, count: size)
        bytes.withUnsafeMutableBytes {
            if let start = $0.baseAddress { Self.layout.write(slots, to: start, size: size) }
        }
        return bytes
    }

    @Test func theChecksumIsTheOneOfTheFileFormat() {
        let bytes = (0..<50).map { UInt8($0) }
        bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress!
            #expect(checksum(start, 0) == 0xAED1_9687)
            #expect(checksum(start, 50) == 0x4741_7D8D)
            #expect(checksum(start, 50, after: 1) == 0xD969_3630)
        }
        Array("abc".utf8).withUnsafeBytes { bytes in
            #expect(checksum(bytes.baseAddress!, 3) == 0x2132_D2A5)
        }
    }

    @Test func theFixedPartHasAChecksumOfItsOwn() throws {
        var record = try row().withBatch { bytes($0.slots) }
        #expect(record.count % 8 == 0)
        func isFixedPartSound() throws -> Bool {
            try record.withUnsafeBytes {
                let record = try Record($0, Self.layout)
                return error { try record.verifyFixedPart() } == nil
            }
        }
        #expect(try isFixedPartSound())
        for position in 6..<record.count {
            for bit in 0..<8 {
                record[position] ^= 1 << bit
                #expect(
                    try isFixedPartSound() == (position >= Self.layout.fixedSize),
                    "byte \(position), bit \(bit)"
                )
                record[position] ^= 1 << bit
            }
        }
    }

    @Test func aRecordKeepsTheSizeOfASomewhatLongerOne() throws {
        #expect(RecordLayout.size(80, over: 80) == 80)
        #expect(RecordLayout.size(80, over: 96) == 96)
        #expect(RecordLayout.size(80, over: 104) == 80)
        #expect(RecordLayout.size(80, over: 72) == 80)
        let rows = try row()
        let record = rows.withBatch {
            bytes($0.slots, size: Self.layout.size(of: $0.slots) + 16)
        }
        try record.withUnsafeBytes {
            let record = try Record($0, Self.layout)
            try record.verify()
            rows.withBatch { batch in
                for column in Self.entity.fields.indices {
                    #expect(Slot.compare(record.slot(column), batch[0, column]) == 0)
                }
            }
        }
        #expect(record.suffix(16).allSatisfy { $0 == 0 })
    }

    @Test("Fields written over a record make the record of the row that it becomes")
    func assignedFields() throws {
        let old = try row()
        let new = RowBuffer(Self.entity)
        var row = try new.beginRow()
        try row.write(-5)
        try row.write("no longer empty")
        try row.write("there")
        try row.write("")
        try row.write(false)
        try row.write(Data(repeating: 7, count: 40))
        try row.write(UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)))
        try row.write(-1.25)
        try new.endRow(row)
        defer { withExtendedLifetime((old, new)) {} }
        for (from, to) in [(old, new), (new, old)] {
            let record = bytes(from.batch.slots)
            for chosen in 1..<1 << (Self.entity.fields.count - 1) {
                let columns = Self.entity.fields.indices.dropFirst().filter {
                    chosen >> ($0 - 1) & 1 == 1
                }
                let assignments = RowAssignments(columns: columns, values: to.batch)
                var expected = Self.entity.fields.indices.map { from.batch[0, $0] }
                for column in columns { expected[column] = to.batch[0, column] }
                try record.withUnsafeBytes { record in
                    let record = try Record(record, Self.layout)
                    let size = try Self.layout.size(of: assignments, over: record)
                    var made = [UInt8](repeating: 0xA5, count: size)
                    made.withUnsafeMutableBytes {
                        if let start = $0.baseAddress {
                            Self.layout.write(assignments, over: record, to: start, size: size)
                        }
                    }
                    #expect(made == bytes(expected, size: size), "columns \(columns)")
                    #expect(
                        size
                            == RecordLayout.size(
                                Self.layout.size(of: expected),
                                over: record.count
                            )
                    )
                }
            }
        }
    }
}

extension StorageValue {
    /// Reads every byte that a slot borrows.
    fileprivate init(safe slot: Slot) {
        self = slot.kind == .text || slot.kind == .data ? .data(Array(slot.bytes)) : .null
    }
}

/// A row with each kind of place in a record.
private struct EveryField: Stored {
    let primaryKey: Int

    static let schema = Schema<EveryField>(
        name: "EveryField",
        fields: [
            .field(\.primaryKey, "id", primaryKey: .given), .field(\.empty, "empty"),
            .field(\.absent, "absent"), .field(\.middle, "middle"), .field(\.flag, "flag"),
            .field(\.data, "data"), .field(\.uuid, "uuid"), .field(\.real, "real"),
        ]
    )

    var empty: String { "" }
    var absent: String? { nil }
    var middle: String { "" }
    var flag: Bool { true }
    var data: Data { Data() }
    var uuid: UUID { UUID() }
    var real: Double { 0 }

    init(row: inout RowReader) throws {
        primaryKey = try row.read()
    }

    func write(to row: inout RowWriter) throws {}
}

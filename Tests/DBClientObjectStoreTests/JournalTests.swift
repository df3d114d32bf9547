import DBClientCore
import Foundation
import Testing

@testable import DBClientObjectStore

/// The journal's entries, and the clock that tells whose commits are whose.
@Suite struct JournalTests {
    private let entity = Note.schema.entity
    private let name = EntityName("Note")

    private var layout: RecordLayout {
        RecordLayout(entity.fields, columns: Array(entity.fields.indices), version: 1)
    }

    private func rows(_ notes: [Note]) throws -> RowBuffer {
        let buffer = RowBuffer(entity)
        for note in notes {
            var row = try buffer.beginRow()
            try note.write(to: &row)
            try buffer.endRow(row)
        }
        return buffer
    }

    private func row(_ note: Note?) throws -> RowBuffer? {
        try note.map { try rows([$0]) }
    }

    private func unit(_ written: [(Note?, Note?)]) throws -> CapturedUnit {
        let log = RowLog(entity)
        for (before, after) in written {
            let (before, after) = (try row(before), try row(after))
            withExtendedLifetime((before, after)) {
                log.append(before: before?.batch, after: after?.batch)
            }
        }
        return CapturedUnit(logs: [log], unseen: .none)
    }

    private func note(_ row: RowBatch?) throws -> Note? {
        try row.map { row in
            var reader = row.reader(at: 0)
            return try Note(row: &reader)
        }
    }

    private func written(_ unit: CapturedUnit) throws -> [[Note?]] {
        try unit.logs.flatMap { log in
            try (0..<log.count).map { [try note(log[$0].before), try note(log[$0].after)] }
        }
    }

    private func entry(_ units: [CapturedUnit], watched: Set<EntityName>? = nil) throws -> [UInt8] {
        try JournalEntry.bytes(of: units, watched: watched ?? [name]) { _ in layout }
    }

    private func units(
        of bytes: [UInt8],
        observed: [EntityName: EntitySchema]? = nil,
        layout: RecordLayout? = nil
    ) -> [CapturedUnit]? {
        bytes.withUnsafeBytes { bytes in
            JournalEntry.units(of: bytes, observed: observed ?? [name: entity]) { _ in
                layout ?? self.layout
            }
        }
    }

    private let old = Note(1, "old", folder: 3, code: "a", weight: 0.5)
    private let new = Note(1, "new and longer", folder: nil, code: nil, weight: -1)

    @Test func rowsComeBackAsTheyWere() throws {
        let entry = try entry([unit([(nil, old), (old, new)]), unit([(new, nil)])])
        let told = try #require(units(of: entry))
        #expect(told.map(\.unseen) == [.none, .none])
        #expect(try told.map(written) == [[[nil, old], [old, new]], [[new, nil]]])
    }

    @Test func aCommitThatConcernsNobodyTellsSo() throws {
        #expect(try units(of: entry([]))?.isEmpty == true)
        // What the reader observes must have been watched by the writer.
        let other = EntityName("Other")
        #expect(try units(of: entry([], watched: [other])) == nil)
        #expect(try units(of: entry([], watched: [other, name]))?.isEmpty == true)
    }

    @Test func rowsOfAnotherLayoutAreUnseen() throws {
        let entry = try entry([unit([(nil, old)])])
        let later = RecordLayout(entity.fields, columns: Array(entity.fields.indices), version: 2)
        let told = try #require(units(of: entry, layout: later))
        #expect(told.map(\.unseen) == [.entities([name])])
        #expect(told.allSatisfy { $0.logs.isEmpty })
    }

    @Test func manyRowsAreOnlyNamed() throws {
        let long = String(repeating: "x", count: 500)
        let entry = try entry([
            unit([(nil, old)]), unit((0..<10_000).map { (nil, Note($0, long)) }),
        ])
        #expect(entry.count < 100)
        let told = try #require(units(of: entry))
        #expect(told.map(\.unseen) == [.entities([name])])
    }

    @Test func damageIsFoundWhereverItIs() throws {
        let entry = try entry([unit([(nil, old), (old, new)])])
        for count in 0..<entry.count { #expect(units(of: Array(entry.prefix(count))) == nil) }
        for position in entry.indices {
            var damaged = entry
            damaged[position] ^= 0x10
            #expect(units(of: damaged) == nil)
        }
        #expect(units(of: entry + [0]) == nil)
    }

    /// What is not damaged by accident has the right checksum: nothing that it says is believed.
    @Test func aForgedEntryIsNoTrap() throws {
        let entry = try entry([unit([(nil, old), (old, new)])])
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var forged = entry
            let position = Int.random(in: 6..<forged.count, using: &random)
            forged[position] = UInt8.random(in: .min ... .max, using: &random)
            if Bool.random(using: &random) {
                forged.removeLast(Int.random(in: 1..<forged.count - 8, using: &random))
            }
            let sum = forged.withUnsafeBytes { bytes in
                bytes.baseAddress.map { checksum($0 + 4, bytes.count - 4) } ?? 0
            }
            forged.withUnsafeMutableBytes { $0.storeBytes(of: sum, as: UInt32.self) }
            for unit in units(of: forged) ?? [] {
                for log in unit.logs {
                    for position in 0..<log.count {
                        for row in [log[position].before, log[position].after] {
                            _ = try? note(row)
                        }
                    }
                }
            }
        }
    }
}

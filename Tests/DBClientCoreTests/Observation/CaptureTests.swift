import DBClientTesting
import Testing

@testable import DBClientCore

@Suite("What a transaction's writer writes down")
struct CaptureTests {
    private let base = FakeWriter(FakeEngine.State())
    private let recorder: CommitRecorder

    init() {
        let watches = WatchList.empty.changing([Probe.schema.entity]) { $0.add(within: nil) }
        recorder = CommitRecorder(watches)
    }

    private var name: EntityName { Probe.schema.entity.exactName }

    private func row(_ key: Int, _ integer: Int) -> [StorageValue] {
        [.integer(Int64(key)), .integer(Int64(integer)), .null, .null, .null, .null]
    }

    private func buffer(_ rows: [[StorageValue]], of entity: EntitySchema) throws -> RowBuffer {
        let buffer = RowBuffer(entity)
        for row in rows {
            var writer = try buffer.beginRow()
            for value in row { try writer.put(value.slot(in: buffer)) }
            try buffer.endRow(writer)
        }
        return buffer
    }

    private func keys(_ keys: [Int]) throws -> RowBuffer {
        let buffer = RowBuffer(Sample.entity, columns: Sample.entity.primaryKey)
        for key in keys {
            var writer = try buffer.beginRow()
            try writer.write(key)
            try buffer.endRow(writer)
        }
        return buffer
    }

    /// Returns another instance of the schema, with another last field if one is given.
    private func instance(last: FieldSchema? = nil) -> EntitySchema {
        EntitySchema(
            name: Sample.entity.name,
            fields: Sample.entity.fields.dropLast() + [last ?? Sample.entity.fields[Sample.data]],
            primaryKey: Sample.entity.primaryKey,
            keyGeneration: Sample.entity.keyGeneration,
            indexes: [],
            failure: nil
        )
    }

    private func update(
        _ writer: CapturingWriter,
        _ entity: EntitySchema,
        _ rows: [[StorageValue]]
    ) throws {
        let buffer = try buffer(rows, of: entity)
        try withExtendedLifetime(buffer) {
            try writer.update(buffer.batch, of: entity, setting: entity.columnsBesideKey) { _ in
                Issue.record("no row")
            }
        }
    }

    private func values(_ log: RowLog) -> [[Int64?]] {
        (0..<log.count).map { entry in
            [log[entry].before, log[entry].after].map { $0?[0, Sample.integer].integer }
        }
    }

    @Test("A key that one call deletes twice is written down once")
    func deletesOnce() throws {
        base.tables["Probe"] = [row(1, 10), row(2, 20)]
        let writer = CapturingWriter(base, recorder)
        let keys = try keys([1, 3, 2, 1, 3, 2])
        #expect(
            try withExtendedLifetime(keys) {
                try writer.delete(Sample.entity, keys: keys.batch)
            } == 2
        )
        recorder.endUnit()
        let unit = try #require(recorder.units.first)
        #expect(values(unit.logs[0]) == [[10, nil], [20, nil]])
    }

    @Test("Writes through several instances of one schema keep their order")
    func oneLogForInstances() throws {
        base.tables["Probe"] = [row(1, 0)]
        let writer = CapturingWriter(base, recorder)
        let other = instance()
        for (entity, integer) in [(Sample.entity, 1), (other, 2), (Sample.entity, 3), (other, 4)] {
            try update(writer, entity, [row(1, integer)])
        }
        recorder.endUnit()
        let unit = try #require(recorder.units.first)
        #expect(unit.logs.count == 1)
        #expect(unit.unseen == .none)
        #expect(values(unit.logs[0]) == [[0, 1], [1, 2], [2, 3], [3, 4]])
        // The next unit has a log of its own.
        try update(writer, other, [row(1, 5)])
        recorder.endUnit()
        #expect(recorder.units.count == 2)
        #expect(values(try #require(recorder.units.last).logs[0]) == [[4, 5]])
    }

    @Test("Writes through schemas of other shapes are told by the name alone")
    func otherShape() throws {
        base.tables["Probe"] = [row(1, 0)]
        let writer = CapturingWriter(base, recorder)
        try update(writer, Sample.entity, [row(1, 1)])
        let other = FieldSchema(name: "other", type: .data, isOptional: true)
        try update(writer, instance(last: other), [row(1, 2)])
        recorder.endUnit()
        let unit = try #require(recorder.units.first)
        #expect(unit.logs.isEmpty)
        #expect(unit.unseen == .entities([name]))
    }

    @Test("Inserted rows that concern nobody are left out, and unseen by those who came since")
    func leftOut() throws {
        func bounds(_ value: Int64) -> RowBounds? {
            let condition = RowCondition.compare(
                column: Sample.integer,
                .equal,
                .integer(value),
                .binary
            )
            return RowBounds(RowQuery(Sample.entity, where: condition))
        }
        func insert(
            _ rows: [[StorageValue]],
            now change: (inout WatchList.Watch) -> Void
        ) throws -> (values: [[Int64?]], unseen: UntrackedChanges) {
            let watches = WatchList.empty.changing([Sample.entity]) { $0.add(within: bounds(2)) }
            let recorder = CommitRecorder(watches)
            try CapturingWriter(FakeWriter(FakeEngine.State()), recorder).insert(
                try buffer(rows, of: Sample.entity)
            )
            recorder.endUnit()
            let units = recorder.finish(watches.changing([Sample.entity], change))
            return (
                units.flatMap(\.logs).flatMap(values),
                units.reduce(.none) { $0.union($1.unseen) }
            )
        }
        let rows = [row(1, 1), row(2, 2), row(3, 3)]
        #expect(try insert(rows) { $0.add(within: bounds(2)) } == ([[nil, 2]], .none))
        // Those that are known would alone be a state that never was.
        #expect(try insert(rows) { $0.add(within: bounds(3)) } == ([], .entities([name])))
        #expect(try insert(rows) { $0.add(within: nil) } == ([], .entities([name])))
        #expect(try insert(rows) { $0.feeds += 1 } == ([], .entities([name])))
        #expect(try insert([row(1, 1)]) { $0.add(within: nil) } == ([], .entities([name])))
        #expect(try insert([row(2, 2)]) { $0.add(within: bounds(3)) } == ([[nil, 2]], .none))
    }

    @Test("What is tried on rows that cannot be trusted counts as written")
    func untrustedRows() throws {
        let writer = CapturingWriter(base, recorder)
        let keys = try keys([1])
        #expect(
            try withExtendedLifetime(keys) {
                try writer.delete(Sample.entity, keys: keys.batch)
            } == 0
        )
        recorder.endUnit(hasRows: false)
        #expect(recorder.units.first?.unseen == .entities([name]))
    }

    @Test("A row that came between the look and the update is told by the name alone")
    func rowThatCame() throws {
        base.tables["Probe"] = [row(1, 0)]
        let writer = CapturingWriter(StaleReader(base, reads: nil), recorder)
        let rows = try buffer([row(1, 7)], of: Sample.entity)
        try rows.withBatch {
            try writer.update($0, of: Sample.entity, setting: [Sample.integer]) { _ in
                Issue.record("no row")
            }
        }
        recorder.endUnit()
        let unit = try #require(recorder.units.first)
        #expect(unit.logs.isEmpty)
        #expect(unit.unseen == .entities([name]))
    }

    @Test("A row that an upsert inserts replaces none, whatever was read of it")
    func rowThatWent() throws {
        let writer = CapturingWriter(StaleReader(base, reads: row(1, 0)), recorder)
        try writer.upsert(try buffer([row(1, 7)], of: Sample.entity)) { #expect($0 == 0 && $1) }
        recorder.endUnit()
        #expect(values(try #require(recorder.units.first).logs[0]) == [[nil, 7]])
    }
}

/// Reads a snapshot that is older than what is written to: of each key one row, or none.
private final class StaleReader: ForwardingWriter {
    let base: any EngineWriter
    private let row: [StorageValue]?

    init(_ base: any EngineWriter, reads row: [StorageValue]?) {
        self.base = base
        self.row = row
    }

    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        guard let row else { return }
        let buffer = try Sample.buffer([row])
        try withExtendedLifetime(buffer) { try visit(0, buffer.batch) }
    }
}

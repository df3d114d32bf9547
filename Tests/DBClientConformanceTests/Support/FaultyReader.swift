import DBClientCore
import Foundation

/// Reads as another reader does, but for its fault.
class FaultyReader: EngineReader {
    private let reader: any EngineReader
    fileprivate let fault: Fault?

    init(_ reader: any EngineReader, _ fault: Fault?) {
        self.reader = reader
        self.fault = fault
    }

    var buffers: RowBuffers { reader.buffers }

    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        try reader.get(entity, keys: keys) { position, row in
            if fault != .findsNoThirdKey || position != 2 { try visit(position, row) }
        }
    }

    func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        try reader.scan(faulty(query), visit)
    }

    func count(_ query: RowQuery) throws -> Int {
        try reader.count(faulty(query)) + (fault == .countsOneTooMany ? 1 : 0)
    }

    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        let value = try reader.aggregate(
            function,
            column: column,
            through: path,
            of: faulty(query)
        )
        guard fault == .sumsTwice, function == .sum else { return value }
        return switch value {
        case .integer(let sum): .integer(sum &* 2)
        case .real(let sum): .real(sum * 2)
        default: value
        }
    }

    func distinct(column: Int, of query: RowQuery, _ visit: (Slot) throws -> Void) throws {
        try reader.distinct(column: column, of: faulty(query)) { slot in
            try visit(slot)
            if fault == .repeatsDistinct { try visit(slot) }
        }
    }

    func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        var query = faulty(query)
        if fault == .selectsBackwards {
            query.orderings = query.totalOrder.map { ordering in
                var reversed = ordering
                reversed.isDescending.toggle()
                reversed.nilsFirst.toggle()
                return reversed
            }
        }
        try reader.select(columns, of: query, visit)
    }

    func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        var grouping = grouping
        grouping.query = faulty(grouping.query)
        var isFirst = fault == .dropsFirstGroup
        try reader.group(grouping) { row in
            if !isFirst { try visit(row) }
            isFirst = false
        }
    }

    func explain(_ query: RowQuery) throws -> String {
        try reader.explain(query)
    }

    final func faulty(_ query: RowQuery) -> RowQuery {
        var query = query
        if fault == .ignoresConditions { query.condition = .constant(true) }
        if fault == .ignoresSorts { query.orderings = [] }
        if fault == .ignoresOffsets { query.offset = 0 }
        switch (fault, query.condition) {
        case (.composesText, .compare(let column, let comparison, .text(let text), let order)):
            let composed = StorageValue.text(text.precomposedStringWithCanonicalMapping)
            query.condition = .compare(column: column, comparison, composed, order)
        case (.takesWildcards, .field(let column, .matches(let pattern)))
        where pattern.kind == .contains:
            query.condition = .matches(
                column: column,
                TextPattern(.wildcard, "*\(pattern.text)*", ignoresCase: pattern.ignoresCase)
            )
        default: break
        }
        return query
    }
}

/// Writes as another writer does, but for its fault.
final class FaultyWriter: FaultyReader, EngineWriter {
    private let writer: any EngineWriter

    init(_ writer: any EngineWriter, _ fault: Fault?) {
        self.writer = writer
        super.init(writer, fault)
    }

    var hasFailed: Bool { writer.hasFailed }

    func insert(_ rows: RowBuffer) throws {
        if fault == .insertsOverExisting {
            try writer.upsert(rows) { _, _ in }
        } else {
            try writer.insert(rows)
        }
    }

    func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        let isWhole = columns.count == entity.columnsBesideKey.count
        if isWhole, fault == .updatesNothing { return }
        if !isWhole, fault == .assignsEverything {
            let assignments = RowAssignments(columns: columns, values: rows.row(0))
            _ = try writer.update(RowQuery(entity), setting: assignments)
            return
        }
        try writer.update(rows, of: entity, setting: columns, missing: missing)
    }

    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        try writer.upsert(rows) { outcome($0, fault == .upsertsAlwaysInsert ? true : $1) }
    }

    func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int {
        fault == .deletesNothing ? keys.count : try writer.delete(entity, keys: keys)
    }

    func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int {
        try writer.update(faulty(query), setting: assignments)
    }

    func delete(_ query: RowQuery) throws -> Int {
        try writer.delete(faulty(query))
    }

    func beginSavepoint() throws {
        try writer.beginSavepoint()
    }

    func releaseSavepoint() throws {
        try writer.releaseSavepoint()
    }

    func rollbackSavepoint() throws {
        if fault == .keepsUndoneSavepoints {
            try writer.releaseSavepoint()
        } else {
            try writer.rollbackSavepoint()
        }
    }
}

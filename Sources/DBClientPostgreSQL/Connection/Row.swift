import CLibPQ
import DBClientCore

/// Turns the rows of a result into slots that borrow the result's bytes.
final class Row {
    private let types: [ServerType?]
    private let identifiers: [Oid]
    private var slots: UnsafeMutablePointer<Slot>
    /// Room for values that are kept in another form than they arrive in.
    private var converted: UnsafeMutablePointer<UInt8>
    private let columnCount: Int
    /// The rows that there is room for.
    private var capacity = 1
    private var entity: EntitySchema?
    private var kinds: [Slot.Kind] = []
    /// Owns the values of any length that are kept in another form than they arrive in, until the next row.
    private let convertedTexts = RowBuffer(.constant, columns: [])
    private var hasConvertedTexts = false

    private static let stride = Numeric.maximumOrderedLength
    /// As many rows as are worth a batch: the cost of handing one over is spread over them.
    ///
    /// Each has a result of its own. The C library keeps seven freed blocks of a size at hand: with more results at a
    /// time, most of the work would be to make and free them. One is being received meanwhile.
    static let batchSize = 6

    init(_ identifiers: [Oid]) {
        self.identifiers = identifiers
        types = identifiers.map(ServerType.init(rawValue:))
        columnCount = identifiers.count
        slots = .allocate(capacity: max(columnCount, 1))
        converted = .allocate(capacity: Self.stride * max(columnCount, 1))
    }

    /// Reads the rows of results like this one.
    convenience init(of result: OpaquePointer?) {
        self.init((0..<PQnfields(result)).map { PQftype(result, $0) })
    }

    /// Returns the names of a result's columns.
    static func columnNames(of result: OpaquePointer?) -> [String] {
        (0..<PQnfields(result)).map { column in
            PQfname(result, column).map { String(cString: $0) } ?? ""
        }
    }

    deinit {
        slots.deallocate()
        converted.deallocate()
    }

    /// Whether a result has these columns.
    func fits(_ result: OpaquePointer) -> Bool {
        PQnfields(result) == columnCount
            && identifiers.indices.allSatisfy {
                PQftype(result, Int32(truncatingIfNeeded: $0)) == identifiers[$0]
            }
    }

    /// Makes room for a batch of many rows.
    func reserveBatch() {
        guard capacity < Self.batchSize else { return }
        slots.deallocate()
        converted.deallocate()
        capacity = Self.batchSize
        slots = .allocate(capacity: capacity * max(columnCount, 1))
        converted = .allocate(capacity: capacity * Self.stride * max(columnCount, 1))
    }

    /// Says whose fields the first columns are; what follows them is of any kind.
    func begin(_ entity: EntitySchema) {
        if self.entity === entity { return }
        self.entity = entity
        kinds = entity.fields.map(\.type.slotKind)
    }

    /// Returns a row as a batch of the entity's fields.
    @inline(__always)
    func batch(_ result: OpaquePointer, _ row: Int32, of entity: EntitySchema) throws -> RowBatch {
        if hasConvertedTexts { forgetTexts() }
        let count = entity.fields.count
        for column in 0..<count {
            slots[column] = try field(result, row, column, column)
        }
        return RowBatch(slots: slots, columnCount: count, count: 1, entity: entity)
    }

    /// Returns the first rows of several results, no more than `batchSize`, as a batch of the entity's
    /// fields.
    func batch(_ results: [OpaquePointer], of entity: EntitySchema) throws -> RowBatch {
        if hasConvertedTexts { forgetTexts() }
        let count = entity.fields.count
        var place = 0
        for result in results {
            for column in 0..<count {
                slots[place] = try field(result, 0, column, place)
                place += 1
            }
        }
        return RowBatch(slots: slots, columnCount: count, count: results.count, entity: entity)
    }

    /// Returns a row of values of whatever kind the server sends.
    func values(_ result: OpaquePointer, _ row: Int32) throws -> UnsafeBufferPointer<Slot> {
        if hasConvertedTexts { forgetTexts() }
        for column in 0..<columnCount { slots[column] = try value(result, row, column) }
        return UnsafeBufferPointer(start: slots, count: columnCount)
    }

    private func forgetTexts() {
        convertedTexts.removeAll()
        hasConvertedTexts = false
    }

    /// Returns one column of a row as its field has it; what is none is an error with the key of the row.
    @inline(__always)
    private func field(
        _ result: OpaquePointer,
        _ row: Int32,
        _ column: Int,
        _ place: Int
    ) throws -> Slot {
        do {
            let slot = try value(result, row, column, place)
            return slot.kind == kinds[column] || slot.isNull ? slot : try converted(slot, column)
        } catch { throw withKey(error, result, row) }
    }

    /// Adds the key of a row to an error, as far as the key can be read.
    @inline(never)
    private func withKey(_ error: any Error, _ result: OpaquePointer, _ row: Int32) -> any Error {
        guard var error = error as? DBClientError, let entity else { return error }
        let values = entity.primaryKey.compactMap { column -> StorageValue? in
            guard let slot = try? value(result, row, column) else { return nil }
            let kept = slot.kind == kinds[column] ? slot : try? converted(slot, column)
            return kept.map { StorageValue($0) }
        }
        guard values.count == entity.primaryKey.count, !values.isEmpty else { return error }
        error.key = entity.describe(key: values)
        return error
    }

    /// Returns one column of a row.
    @inline(__always)
    func value(_ result: OpaquePointer, _ row: Int32, _ column: Int) throws -> Slot {
        try value(result, row, column, column)
    }

    /// Returns one column of a row, with room of its own for another form.
    @inline(__always)
    private func value(
        _ result: OpaquePointer,
        _ row: Int32,
        _ column: Int,
        _ place: Int
    ) throws -> Slot {
        let index = Int32(truncatingIfNeeded: column)
        guard let start = PQgetvalue(result, row, index) else { return .null }
        let length = Int(PQgetlength(result, row, index))
        if length == 0, PQgetisnull(result, row, index) != 0 { return .null }
        return try slot(UnsafeRawBufferPointer(start: start, count: length), column, place)
    }

    /// Returns the slot of a value's binary form.
    @inline(__always)
    private func slot(
        _ bytes: UnsafeRawBufferPointer,
        _ column: Int,
        _ place: Int
    ) throws -> Slot {
        switch types[column] {
        case .bigint: return .integer(try number(bytes, column, as: Int64.self))
        case .text, .varyingCharacter, .json: return .text(bytes)
        case .double:
            return .real(Double(bitPattern: try number(bytes, column, as: UInt64.self)))
        case .boolean: return .integer(Int64(try number(bytes, column, as: UInt8.self)))
        case .timestamptz, .timestamp:
            let value = try number(bytes, column, as: Int64.self)
            let (sum, overflow) = value.addingReportingOverflow(ServerType.epoch)
            // The server's infinities are the ends of the range.
            if overflow || value == .min { throw unreadable(column) }
            return .integer(sum)
        default: return try otherSlot(bytes, column, place)
        }
    }

    @inline(never)
    private func otherSlot(
        _ bytes: UnsafeRawBufferPointer,
        _ column: Int,
        _ place: Int
    ) throws -> Slot {
        switch types[column] {
        case .integer: return .integer(Int64(try number(bytes, column, as: Int32.self)))
        case .smallint: return .integer(Int64(try number(bytes, column, as: Int16.self)))
        case .objectIdentifier: return .integer(Int64(try number(bytes, column, as: UInt32.self)))
        case .real:
            return .real(Double(Float(bitPattern: try number(bytes, column, as: UInt32.self))))
        case .bytea, .uuid: return .data(bytes)
        case .name, .unknown, .paddedCharacter, .character: return .text(bytes)
        case .jsonb where bytes.first == 1:
            let text = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
            guard let canonical = JSONText.canonical(text) else { return .text(text) }
            hasConvertedTexts = true
            return .text(canonical.withUnsafeBytes { convertedTexts.copy($0) })
        case .numeric:
            let target = converted + place * Self.stride
            guard let count = Numeric.decode(bytes, to: target) else { throw unreadable(column) }
            return .data(UnsafeRawBufferPointer(start: target, count: count))
        default:
            // The server calls the result of a command without columns void.
            if identifiers[column] == 2278 { return .null }
            throw unreadable(column)
        }
    }

    /// Returns the number that the bytes of a value are.
    ///
    /// - Throws: `.decoding` where there are too few or too many.
    @inline(__always)
    private func number<Number: FixedWidthInteger>(
        _ bytes: UnsafeRawBufferPointer,
        _ column: Int,
        as type: Number.Type
    ) throws -> Number {
        guard bytes.count == MemoryLayout<Number>.size else { throw unreadable(column) }
        return Number(bigEndian: bytes.loadUnaligned(as: Number.self))
    }

    /// Returns a value of another kind than the field's as one of that.
    @inline(never)
    private func converted(_ slot: Slot, _ column: Int) throws -> Slot {
        if let number = slot.number(as: kinds[column]) { return number }
        throw DBClientError.misfit(slot.kind, entity, entity?.fields[column])
    }

    @inline(never)
    private func unreadable(_ column: Int) -> DBClientError {
        DBClientError(
            .decoding,
            "The server's value, of type \(identifiers[column]), is not one that is read here.",
            entity: entity?.name,
            field: entity.flatMap { column < $0.fields.count ? $0.fields[column].name : nil },
            hint: "Cast it in the statement, to text for one."
        )
    }
}

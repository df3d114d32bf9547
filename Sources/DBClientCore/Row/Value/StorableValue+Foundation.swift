public import Foundation

extension Date: StorableValue {
    /// The field type `.date`: microseconds since 1970 UTC.
    @inlinable
    public static var fieldType: FieldType { .date }

    /// Creates the date from microseconds since 1970, in the range that can be stored.
    @inlinable
    @inline(__always)
    public init(slot: Slot) throws(SlotError) {
        try slot.require(.integer)
        guard Self.isStorable(slot.integer) else { throw .range }
        self.init(microsecondsSince1970: slot.integer)
    }

    /// Writes the date rounded to the nearest microsecond.
    ///
    /// - Throws: `DBClientError` with code `.invalidValue` for a date that is not finite or lies
    ///   outside 4714 BC to 294246 AD, which every engine can keep.
    @inlinable
    public func store(in row: inout RowWriter) throws {
        guard let microseconds = microsecondsSince1970 else { throw row.invalidDate() }
        if Date(microsecondsSince1970: microseconds) != self { row.markNormalized() }
        try row.put(integer: microseconds)
    }

    /// The stored form: microseconds since 1970 UTC, or nil when no engine can keep the date.
    @inlinable
    public var microsecondsSince1970: Int64? {
        let interval = timeIntervalSinceReferenceDate
        guard interval.isFinite, abs(interval) < 9.223e12 else { return nil }
        // Seconds and the rest apart: the product with a million would be rounded once too often.
        let seconds = Int64(interval)
        let rest = Int64(((interval - Double(seconds)) * 1_000_000).rounded())
        let (value, overflow) = (seconds * 1_000_000 + rest).addingReportingOverflow(
            Self.referenceMicroseconds
        )
        return overflow || !Self.isStorable(value) ? nil : value
    }

    /// Creates the date from its stored form.
    @inlinable
    public init(microsecondsSince1970 microseconds: Int64) {
        // Seconds and the rest apart: exact for whole seconds, correctly rounded for the sum.
        let relative = microseconds.subtractingReportingOverflow(Self.referenceMicroseconds)
            .partialValue
        let (seconds, rest) = relative.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(timeIntervalSinceReferenceDate: Double(seconds) + Double(rest) / 1_000_000)
    }

    /// 1 January 2001 in microseconds since 1970.
    @usableFromInline static let referenceMicroseconds: Int64 = 978_307_200_000_000

    /// Whether a stored form is one of a date: from 4714-11-24 BC, where PostgreSQL's timestamptz begins, to where 64 bits of microseconds
    /// since 1970 end, in the year 294247.
    ///
    /// One comparison: from the first of them on, others come after the last one.
    @inlinable
    @inline(__always)
    static func isStorable(_ microseconds: Int64) -> Bool {
        let first: Int64 = -210_866_803_200_000_000
        return UInt64(bitPattern: microseconds &- first) < UInt64(bitPattern: .max &- first)
    }
}

extension RowWriter {
    /// Writes a date in its stored form.
    ///
    /// - Throws: `DBClientError` with code `.invalidValue` for a date that no engine can keep.
    mutating func put(date microseconds: Int64) throws {
        guard Date.isStorable(microseconds) else { throw invalidDate() }
        try put(integer: microseconds)
    }

    @usableFromInline
    @inline(never)
    func invalidDate() -> DBClientError {
        invalidValue("A date must be finite and between 4714 BC and 294246 AD.")
    }
}

extension UUID: StorableValue {
    /// The field type `.uuid`: sixteen bytes.
    @inlinable
    public static var fieldType: FieldType { .uuid }

    /// Creates the UUID from sixteen bytes.
    @inlinable
    public init(slot: Slot) throws(SlotError) {
        try slot.require(.data)
        guard slot.length == 16 else { throw .malformed }
        self.init(uuid: slot.bytes.loadUnaligned(as: uuid_t.self))
    }

    /// Writes the UUID as its sixteen bytes.
    @inlinable
    public func store(in row: inout RowWriter) throws {
        try withUnsafeBytes(of: uuid) { try row.put(data: $0) }
    }
}

extension Data: StorableValue {
    /// The field type `.data`: the bytes as they are.
    @inlinable
    public static var fieldType: FieldType { .data }

    /// Creates the data as a copy of the stored bytes.
    @inlinable
    public init(slot: Slot) throws(SlotError) {
        try slot.require(.data)
        self.init(slot.bytes)
    }

    /// Writes a copy of the bytes.
    @inlinable
    public func store(in row: inout RowWriter) throws {
        try withUnsafeBytes { try row.put(data: $0) }
    }
}

extension URL: StorableValue {
    /// The field type `.url`: the text of the URL.
    @inlinable
    public static var fieldType: FieldType { .url }

    /// Creates the URL from its text.
    @inlinable
    public init(slot: Slot) throws(SlotError) {
        guard let url = URL(string: try String(slot: slot)) else { throw .malformed }
        self = url
    }

    /// Writes the URL as its absolute string.
    @inlinable
    public func store(in row: inout RowWriter) throws {
        // What is read back has no base.
        if baseURL != nil { row.markNormalized() }
        try row.put(text: absoluteString)
    }
}

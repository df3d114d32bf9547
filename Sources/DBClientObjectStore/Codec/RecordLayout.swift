import DBClientCore

/// Where each field of an entity stands in a record.
///
/// `Documentation/FileFormat.md` has the format to
/// the byte.
///
/// A record is an eight-byte header (checksum, layout version), a bit for each absent field, a fixed
/// place for each field in stored order, and a heap of bytes. The place of text and data holds the
/// end of its bytes in the heap; they begin where those of the field before end.
final class RecordLayout: @unchecked Sendable {
    /// Header, before the bits: checksum (4), layout version (2), zero (2).
    static let headerSize = 8

    /// One field.
    struct Field {
        enum Kind: UInt8 {
            case integer
            case real
            case boolean
            case text
            case data
            case uuid
        }

        var kind: Kind
        /// What a slot holds of the field.
        var slotKind: Slot.Kind
        var nullMask: UInt8
        var nullByte: Int32
        /// The place of the value, or of the end of its bytes.
        var offset: Int32
        /// The place that holds where the bytes begin; -1 for the first.
        var start: Int32
    }

    /// The fields in the order of the schema's columns.
    let fields: UnsafeMutablePointer<Field>
    /// The columns in stored order.
    let storedOrder: UnsafeMutablePointer<Int>
    let fieldCount: Int
    /// The size of everything before the heap.
    let fixedSize: Int
    let version: UInt16
    /// Whether stored order is the order of the columns.
    let isInOrder: Bool
    /// Whether one byte says of all fields whether they are absent.
    let hasOneNullByte: Bool

    /// Creates the layout of fields, given in stored order, for the schema whose column each is.
    init(_ stored: [FieldSchema], columns: [Int], version: UInt16) {
        fieldCount = stored.count
        fields = .allocate(capacity: max(fieldCount, 1))
        storedOrder = .allocate(capacity: max(fieldCount, 1))
        storedOrder.initialize(from: columns, count: columns.count)
        self.version = version
        isInOrder = columns == Array(columns.indices)
        hasOneNullByte = fieldCount <= 8
        var offset = Self.headerSize + (stored.count + 7) / 8
        var heapStart: Int32 = -1
        for (position, field) in stored.enumerated() {
            let kind = Field.Kind(field.type)
            fields[columns[position]] = Field(
                kind: kind,
                slotKind: kind.slotKind,
                nullMask: 1 << (position % 8),
                nullByte: Int32(Self.headerSize + position / 8),
                offset: Int32(offset),
                start: kind.isInHeap ? heapStart : 0
            )
            if kind.isInHeap { heapStart = Int32(offset) }
            offset += kind.width
        }
        fixedSize = offset
    }

    deinit {
        fields.deallocate()
        storedOrder.deallocate()
    }
}

extension RecordLayout.Field.Kind {
    init(_ type: FieldType) {
        self =
            switch type {
            case .boolean: .boolean
            case .integer, .date: .integer
            case .double, .float: .real
            case .text, .url, .json: .text
            case .data, .decimal: .data
            case .uuid: .uuid
            }
    }

    var isInHeap: Bool { self == .text || self == .data }

    var slotKind: Slot.Kind {
        switch self {
        case .integer, .boolean: .integer
        case .real: .real
        case .text: .text
        case .data, .uuid: .data
        }
    }

    /// The size of the field's place.
    var width: Int {
        switch self {
        case .integer, .real: 8
        case .boolean: 1
        case .text, .data: 4
        case .uuid: 16
        }
    }
}

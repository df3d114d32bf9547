import DBClientCore

/// The place of each field of an entity in a record.
///
/// `Documentation/FileFormat.md` has the format to
/// the byte.
///
/// A record is an eight-byte header (checksums, layout version), a bit for each absent field, a fixed
/// place for each field in stored order, and a heap of bytes. The place of text and data holds the
/// end of its bytes in the heap; they begin where those of the field before end. What follows the last
/// of them is zero.
final class RecordLayout: @unchecked Sendable {
    /// Header, before the bits: checksum (4), layout version (2), checksum of the fixed part (2).
    static let headerSize = 8

    /// Where a field is in a record, and how it is stored.
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

    /// What a row's slot of one field is made of.
    struct Place {
        var column: Int
        /// Where it is in the record.
        var offset: Int
        /// The kind of value that the slot holds.
        var slotKind: Slot.Kind
    }

    /// Places in plain memory, which a loop for each row reads without a check.
    struct Places {
        private let first: UnsafeMutablePointer<Place>
        private let end: UnsafeMutablePointer<Place>

        fileprivate init(_ places: [Place]) {
            first = .allocate(capacity: max(places.count, 1))
            first.initialize(from: places, count: places.count)
            end = first + places.count
        }

        fileprivate func deallocate() {
            first.deallocate()
        }

        /// The last place, if there is any.
        var last: Place? { first == end ? nil : (end - 1).pointee }

        /// Calls a function with each place.
        @inline(__always)
        func visit(_ body: (Place) -> Void) {
            var place = first
            while place != end {
                body(place.pointee)
                place += 1
            }
        }
    }

    /// The fields in the order of the schema's columns.
    let fields: UnsafeMutablePointer<Field>
    /// The positions of the columns in the order in which a record has them.
    let storedOrder: UnsafeMutablePointer<Int>
    let fieldCount: Int
    /// The size of everything before the heap.
    let fixedSize: Int
    let version: UInt16
    /// The numbers, which take eight bytes each.
    let words: Places
    /// The Booleans and UUIDs, distinguished by the kind of their slots.
    let others: Places
    /// The text and data in stored order.
    let heap: Places
    /// The number of bytes that say which fields are absent.
    let nullByteCount: Int

    /// Creates the layout of fields, given in stored order, for the schema whose column each is.
    init(_ stored: [FieldSchema], columns: [Int], version: UInt16) {
        fieldCount = stored.count
        fields = .allocate(capacity: max(fieldCount, 1))
        storedOrder = .allocate(capacity: max(fieldCount, 1))
        storedOrder.initialize(from: columns, count: columns.count)
        self.version = version
        nullByteCount = (fieldCount + 7) / 8
        var offset = Self.headerSize + nullByteCount
        var places: [Field.Kind: [Place]] = [:]
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
            places[kind.group, default: []].append(
                Place(column: columns[position], offset: offset, slotKind: kind.slotKind)
            )
            if kind.isInHeap { heapStart = Int32(offset) }
            offset += kind.width
        }
        fixedSize = offset
        words = Places(places[.integer] ?? [])
        others = Places(places[.boolean] ?? [])
        heap = Places(places[.text] ?? [])
    }

    deinit {
        words.deallocate()
        others.deallocate()
        heap.deallocate()
        fields.deallocate()
        storedOrder.deallocate()
    }
}

extension RecordLayout {
    /// Whether the values of columns are all in the fixed part.
    func isFixed(_ columns: [Int]) -> Bool {
        columns.allSatisfy { !fields[$0].kind.isInHeap }
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

    /// The kind whose fields are kept in one list with those of this one.
    fileprivate var group: Self {
        switch self {
        case .integer, .real: .integer
        case .boolean, .uuid: .boolean
        case .text, .data: .text
        }
    }

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

import DBClientCore

/// The shape of a statement without its constants, by which a prepared one is found again.
struct ShapeKey: Hashable {
    enum Tag: UInt8 {
        case scan, select, group, count, aggregate, distinct, update, delete, insert
        case always, never, compare, compareFields, isNil, form, areIn, related, join, not, all, any
        case ordering, limit, offset
        case part, walk, annotate
        case computed, guarded, absence, fieldTerm, constantTerm, function, firstPresent, choice
    }

    private var bytes: [UInt8] = []
    /// The entities, in order; their positions follow from the bytes.
    private var entities: [ObjectIdentifier] = []

    static func == (left: ShapeKey, right: ShapeKey) -> Bool {
        left.bytes == right.bytes && left.entities == right.entities
    }

    /// Hashes the first entity, and the bytes folded into one word: keys are made by the program, so no
    /// attacker chooses two that collide.
    func hash(into hasher: inout Hasher) {
        let folded = bytes.withUnsafeBytes { bytes in
            var word = UInt64(bytes.count)
            var offset = 0
            while offset &+ 8 <= bytes.count {
                word = (word ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)).mixed
                offset &+= 8
            }
            while offset < bytes.count {
                word = (word ^ UInt64(bytes[offset])).mixed
                offset &+= 1
            }
            return word
        }
        hasher.combine(entities.first)
        hasher.combine(folded)
    }

    mutating func begin(_ entity: EntitySchema) {
        bytes.removeAll(keepingCapacity: true)
        entities.removeAll(keepingCapacity: true)
        add(entity)
    }

    mutating func add(_ entity: EntitySchema) {
        // One entity lives as long as the process, so its identity stays its own.
        entities.append(ObjectIdentifier(entity))
    }

    mutating func add(_ tag: Tag) { bytes.append(tag.rawValue) }

    /// Adds the type of a computed value, integers by their bounds.
    mutating func add(_ type: FieldType) {
        switch type {
        case .integer(let bits, let signed): add(UInt8(bits) | (signed ? 1 : 0))
        case .boolean: add(0x80 as UInt8)
        case .double: add(0x82 as UInt8)
        case .float: add(0x84 as UInt8)
        case .text: add(0x86 as UInt8)
        case .data: add(0x88 as UInt8)
        case .date: add(0x8A as UInt8)
        case .uuid: add(0x8C as UInt8)
        case .decimal: add(0x8E as UInt8)
        case .url: add(0x90 as UInt8)
        case .json: add(0x92 as UInt8)
        }
    }

    mutating func add(_ byte: UInt8) { bytes.append(byte) }

    mutating func add(_ number: Int) {
        var rest = UInt(bitPattern: number)
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

extension UInt64 {
    /// The word with each bit spread over those above it and back.
    fileprivate var mixed: UInt64 {
        let product = self &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }
}

extension AggregateFunction {
    /// The number that identifies the function in a shape.
    var code: Int {
        switch self {
        case .minimum: 0
        case .maximum: 1
        case .sum: 2
        case .average: 3
        }
    }
}

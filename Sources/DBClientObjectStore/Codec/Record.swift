import DBClientCore

/// A record in the map, whose fields are looked at in place.
///
/// Memory-safe on any bytes: places are inside the fixed part, whose size is checked, and heap ranges
/// are checked as they are read.
struct Record: SlotSource {
    let base: UnsafeRawPointer
    let count: Int
    let fields: UnsafeMutablePointer<RecordLayout.Field>
    let fixedSize: Int

    /// Views bytes as a record of a layout.
    ///
    /// - Throws: `.corrupt` for bytes too short, `.schemaMismatch` for another layout.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer, _ layout: RecordLayout) throws {
        guard let base = bytes.baseAddress, bytes.count >= layout.fixedSize,
            base.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == layout.version
        else { throw Record.malformed() }
        self.base = base
        self.count = bytes.count
        self.fields = layout.fields
        self.fixedSize = layout.fixedSize
    }

    /// Throws `.corrupt` when the checksum differs.
    @inline(__always)
    func verify() throws {
        if RecordLayout.checksum(of: base, count) != base.loadUnaligned(as: UInt32.self) {
            throw Record.malformed()
        }
    }

    /// Throws `.corrupt` when the checksum of the fixed part differs.
    @inline(__always)
    func verifyFixedPart() throws {
        let stored = base.loadUnaligned(fromByteOffset: 6, as: UInt16.self)
        if RecordLayout.checksumOfFixedPart(base, fixedSize) != stored { throw Record.malformed() }
    }

    /// Throws `.corrupt` when the checksum of the part that was read differs: of the fixed part alone, or of
    /// the record.
    @inline(__always)
    func verify(readsFixedPartAlone isFixed: Bool) throws {
        if isFixed { try verifyFixedPart() } else { try verify() }
    }

    /// Whether a field is absent, by its bit among the null bits.
    @inline(__always)
    func isNull(_ field: RecordLayout.Field) -> Bool {
        base.load(fromByteOffset: Int(field.nullByte), as: UInt8.self) & field.nullMask != 0
    }

    /// The eight bytes of a number.
    @inline(__always)
    func word(_ field: RecordLayout.Field) -> UInt64 {
        base.loadUnaligned(fromByteOffset: Int(field.offset), as: UInt64.self)
    }

    /// The byte in which a Boolean is kept.
    @inline(__always)
    func byte(_ field: RecordLayout.Field) -> UInt8 {
        base.load(fromByteOffset: Int(field.offset), as: UInt8.self)
    }

    /// Fills slots with the fields in the order of the columns.
    @inline(__always)
    func fill(_ target: UnsafeMutablePointer<Slot>, _ layout: RecordLayout) {
        layout.words.visit { place in
            target[place.column] = Slot(
                kind: place.slotKind,
                bits: base.loadUnaligned(fromByteOffset: place.offset, as: UInt64.self)
            )
        }
        layout.others.visit { place in
            let start = base + place.offset
            target[place.column] =
                place.slotKind == .integer
                ? Slot(kind: .integer, bits: UInt64(start.load(as: UInt8.self)))
                : Slot(kind: .data, bits: UInt64(UInt(bitPattern: start)), length: 16)
        }
        // Each text begins where the one before it ends.
        let heap = UInt(bitPattern: base + fixedSize)
        let heapSize = UInt32(truncatingIfNeeded: count - fixedSize)
        var start: UInt32 = 0
        layout.heap.visit { place in
            let end = base.loadUnaligned(fromByteOffset: place.offset, as: UInt32.self)
            target[place.column] =
                start <= end && end <= heapSize
                ? Slot(
                    kind: place.slotKind,
                    bits: UInt64(heap &+ UInt(start)),
                    length: end &- start
                ) : .null
            start = end
        }
        var byte = 0
        while byte < layout.nullByteCount {
            let bits = base.load(fromByteOffset: RecordLayout.headerSize + byte, as: UInt8.self)
            if bits != 0 { clear(target, bits, from: byte * 8, layout) }
            byte += 1
        }
    }

    /// Makes the slots null of those of eight fields whose bits are set.
    @inline(__always)
    private func clear(
        _ target: UnsafeMutablePointer<Slot>,
        _ bits: UInt8,
        from first: Int,
        _ layout: RecordLayout
    ) {
        var bits = bits
        while bits != 0 {
            let position = first + bits.trailingZeroBitCount
            if position < layout.fieldCount { target[layout.storedOrder[position]] = .null }
            bits &= bits &- 1
        }
    }

    @inline(__always)
    func slot(_ column: Int) -> Slot {
        let field = fields[column]
        if isNull(field) { return .null }
        let place = base + Int(field.offset)
        switch field.kind {
        case .integer, .real:
            return Slot(kind: field.slotKind, bits: place.loadUnaligned(as: UInt64.self))
        case .boolean: return Slot(kind: .integer, bits: UInt64(place.load(as: UInt8.self)))
        case .text, .data: return heap(field, place)
        case .uuid:
            return Slot(kind: .data, bits: UInt64(UInt(bitPattern: place)), length: 16)
        }
    }

    @inline(__always)
    private func heap(_ field: RecordLayout.Field, _ place: UnsafeRawPointer) -> Slot {
        let start =
            field.start < 0
            ? 0 : (base + Int(field.start)).loadUnaligned(as: UInt32.self)
        let end = place.loadUnaligned(as: UInt32.self)
        guard start <= end, Int(end) <= count - fixedSize else { return .null }
        let bytes = base + (fixedSize + Int(start))
        return Slot(
            kind: field.slotKind,
            bits: UInt64(UInt(bitPattern: bytes)),
            length: end - start
        )
    }

    @inline(never)
    static func malformed() -> DBClientError {
        DBClientError(.corrupt, "A record of the store is damaged.")
    }
}

extension EntitySchema {
    /// Returns an error about a record of the entity, which does not know whose it is, with the entity's name.
    @inline(never)
    func naming(_ error: any Error) -> any Error {
        guard var named = error as? DBClientError, named.code == .corrupt, named.entity == nil
        else {
            return error
        }
        named.entity = name
        return named
    }
}

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
        if checksum(base + 4, count - 4) != base.loadUnaligned(as: UInt32.self) {
            throw Record.malformed()
        }
    }

    /// Whether a field is absent.
    @inline(__always)
    func isNull(_ field: RecordLayout.Field) -> Bool {
        base.load(fromByteOffset: Int(field.nullByte), as: UInt8.self) & field.nullMask != 0
    }

    /// The eight bytes of a number.
    @inline(__always)
    func word(_ field: RecordLayout.Field) -> UInt64 {
        base.loadUnaligned(fromByteOffset: Int(field.offset), as: UInt64.self)
    }

    /// The byte of a Boolean.
    @inline(__always)
    func byte(_ field: RecordLayout.Field) -> UInt8 {
        base.load(fromByteOffset: Int(field.offset), as: UInt8.self)
    }

    /// Fills slots with the fields in the order of the columns.
    @inline(__always)
    func fill(_ target: UnsafeMutablePointer<Slot>, _ layout: RecordLayout) {
        guard layout.isInOrder, layout.hasOneNullByte,
            base.load(fromByteOffset: RecordLayout.headerSize, as: UInt8.self) == 0
        else {
            for column in 0..<layout.fieldCount { target[column] = slot(column) }
            return
        }
        // Nothing is absent, and each text begins where the one before it ends.
        let heap = base + fixedSize
        let heapSize = UInt32(truncatingIfNeeded: count - fixedSize)
        var start: UInt32 = 0
        for column in 0..<layout.fieldCount {
            let field = fields[column]
            switch field.kind {
            case .integer, .real: target[column] = Slot(kind: field.slotKind, bits: word(field))
            case .boolean: target[column] = Slot(kind: .integer, bits: UInt64(byte(field)))
            case .uuid:
                let bytes = UInt(bitPattern: base + Int(field.offset))
                target[column] = Slot(kind: .data, bits: UInt64(bytes), length: 16)
            case .text, .data:
                let end = base.loadUnaligned(
                    fromByteOffset: Int(field.offset),
                    as: UInt32.self
                )
                target[column] =
                    start <= end && end <= heapSize
                    ? Slot(
                        kind: field.slotKind,
                        bits: UInt64(UInt(bitPattern: heap + Int(start))),
                        length: end - start
                    ) : .null
                start = end
            }
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

/// Writing records.
extension RecordLayout {
    /// Returns the size of a row's record.
    @inline(__always)
    func size(of slots: UnsafePointer<Slot>) -> Int {
        var size = fixedSize
        for column in 0..<fieldCount where fields[column].kind.isInHeap {
            if !slots[column].isNull { size += Int(slots[column].length) }
        }
        return size
    }

    /// Writes a row's record of `size` bytes.
    @inline(__always)
    func write(_ slots: UnsafePointer<Slot>, to target: UnsafeMutableRawPointer, size: Int) {
        target.storeBytes(of: UInt32(version), toByteOffset: 4, as: UInt32.self)
        for byte in Self.headerSize..<Self.headerSize + (fieldCount + 7) / 8 {
            target.storeBytes(of: 0, toByteOffset: byte, as: UInt8.self)
        }
        // The heap is in stored order; columns are almost always in stored order too.
        var end: UInt32 = 0
        for position in 0..<fieldCount {
            let column = storedOrder[position]
            let field = fields[column]
            let slot = slots[column]
            let place = target + Int(field.offset)
            if slot.isNull {
                let byte = target + Int(field.nullByte)
                byte.storeBytes(of: byte.load(as: UInt8.self) | field.nullMask, as: UInt8.self)
            }
            switch field.kind {
            case .integer, .real: place.storeBytes(of: slot.bits, as: UInt64.self)
            case .boolean:
                place.storeBytes(of: UInt8(truncatingIfNeeded: slot.bits), as: UInt8.self)
            case .text, .data:
                if slot.length > 0 && !slot.isNull {
                    (target + fixedSize + Int(end)).copyMemory(
                        from: slot.bytes.baseAddress.unsafelyUnwrapped,
                        byteCount: Int(slot.length)
                    )
                    end += slot.length
                }
                place.storeBytes(of: end, as: UInt32.self)
            case .uuid:
                if let bytes = slot.isNull ? nil : slot.bytes.baseAddress {
                    place.copyMemory(from: bytes, byteCount: 16)
                } else {
                    place.storeBytes(of: (0, 0), as: (UInt64, UInt64).self)
                }
            }
        }
        target.storeBytes(
            of: checksum(UnsafeRawPointer(target) + 4, size - 4),
            as: UInt32.self
        )
    }
}

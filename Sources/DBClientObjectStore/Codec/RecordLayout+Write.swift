import DBClientCore

// Writing records: what a row becomes in the bytes of the layout.
extension RecordLayout {
    /// The most bytes that a record may have left over in place of a shorter one.
    ///
    /// A record that keeps its size is written over where it is; one of another size moves half of its
    /// page.
    private static let slack = 16

    /// Returns the size of a row's record: what it needs in whole words.
    @inline(__always)
    func size(of slots: UnsafePointer<Slot>) -> Int {
        var size = fixedSize
        heap.visit { place in
            let slot = slots[place.column]
            if !slot.isNull { size &+= Int(slot.length) }
        }
        return Self.roundUp(size)
    }

    @inline(__always)
    private static func roundUp(_ size: Int) -> Int { (size + 7) & ~7 }

    /// Returns the size of a record that takes the place of another: the other's, where the difference is
    /// small.
    @inline(__always)
    static func size(_ size: Int, over old: Int) -> Int {
        old >= size && old - size <= slack ? old : size
    }

    /// Writes a row's record, of a size that is at least `size(of:)`.
    @inline(__always)
    func write(_ slots: UnsafePointer<Slot>, to target: UnsafeMutableRawPointer, size: Int) {
        var position = 0
        var byte = Self.headerSize
        while position < fieldCount {
            var bits: UInt8 = 0
            var mask: UInt8 = 1
            let end = min(position &+ 8, fieldCount)
            while position < end {
                if slots[storedOrder[position]].isNull { bits |= mask }
                mask &<<= 1
                position &+= 1
            }
            target.storeBytes(of: bits, toByteOffset: byte, as: UInt8.self)
            byte &+= 1
        }
        words.visit { place in
            let bits = slots[place.column].bits
            target.storeBytes(of: bits, toByteOffset: place.offset, as: UInt64.self)
        }
        others.visit { place in
            Self.write(slots[place.column], place.slotKind, to: target + place.offset)
        }
        var used = fixedSize
        heap.visit { place in
            let slot = slots[place.column]
            used = append(slot, to: target, used: used, endAt: place.offset)
        }
        finish(target, used: used, size: size)
    }

    /// Writes a Boolean or a UUID.
    @inline(__always)
    private static func write(
        _ slot: Slot,
        _ kind: Slot.Kind,
        to start: UnsafeMutableRawPointer
    ) {
        if kind == .integer {
            start.storeBytes(of: UInt8(truncatingIfNeeded: slot.bits), as: UInt8.self)
        } else if !slot.isNull, let bytes = slot.bytes.baseAddress {
            start.copyMemory(from: bytes, byteCount: 16)
        } else {
            start.storeBytes(of: (0, 0), as: (UInt64, UInt64).self)
        }
    }

    /// Writes text or data behind what is used, and its end to its place, and returns what is used then.
    @inline(__always)
    private func append(
        _ slot: Slot,
        to target: UnsafeMutableRawPointer,
        used: Int,
        endAt offset: Int
    ) -> Int {
        var end = used
        if !slot.isNull, let bytes = slot.bytes.baseAddress {
            (target + used).copyMemory(from: bytes, byteCount: Int(slot.length))
            end &+= Int(slot.length)
        }
        target.storeBytes(
            of: UInt32(truncatingIfNeeded: end &- fixedSize),
            toByteOffset: offset,
            as: UInt32.self
        )
        return end
    }

    /// Writes what follows the heap, and the header.
    @inline(__always)
    private func finish(_ target: UnsafeMutableRawPointer, used: Int, size: Int) {
        (target + used).initializeMemory(as: UInt8.self, repeating: 0, count: size - used)
        target.storeBytes(of: UInt32(version), toByteOffset: 4, as: UInt32.self)
        let fixed = Self.checksumOfFixedPart(target, fixedSize)
        target.storeBytes(of: fixed, toByteOffset: 6, as: UInt16.self)
        target.storeBytes(of: Self.checksum(of: target, size), as: UInt32.self)
    }

    /// Returns the checksum of a record of at least a header.
    @inline(__always)
    static func checksum(of record: UnsafeRawPointer, _ count: Int) -> UInt32 {
        let head = record.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        return DBClientObjectStore.checksum(record + 8, count - 8, after: head)
    }

    /// Returns the checksum of what a record has before its heap, the header's version included.
    @inline(__always)
    static func checksumOfFixedPart(_ record: UnsafeRawPointer, _ fixedSize: Int) -> UInt16 {
        let version = record.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        return UInt16(
            truncatingIfNeeded: DBClientObjectStore.checksum(
                record + 8,
                fixedSize - 8,
                after: UInt32(version)
            )
        )
    }
}

/// Writing some fields over those of another record.
extension RecordLayout {
    /// Returns the bytes of what an old record's heap is used for; nil when it is damaged.
    private func usedHeap(of old: Record) -> Int? {
        guard let last = heap.last else { return 0 }
        let end = Int(old.base.loadUnaligned(fromByteOffset: last.offset, as: UInt32.self))
        return end <= old.count - fixedSize ? end : nil
    }

    /// Returns text or data of an old record, or what replaces it.
    @inline(__always)
    private func heapSlot(
        _ place: Place,
        _ assignments: RowAssignments,
        over old: Record
    ) -> Slot {
        assignments.columns.contains(place.column)
            ? assignments.values[0, place.column] : old.slot(place.column)
    }

    private func changesHeap(_ assignments: RowAssignments) -> Bool {
        assignments.columns.contains { fields[$0].kind.isInHeap }
    }

    /// Returns the size of an old record with some fields replaced.
    ///
    /// - Throws: `.corrupt` when the heap of the old record is not what its places say.
    func size(of assignments: RowAssignments, over old: Record) throws -> Int {
        var used = fixedSize
        if changesHeap(assignments) {
            heap.visit { place in
                let slot = heapSlot(place, assignments, over: old)
                if !slot.isNull { used += Int(slot.length) }
            }
        } else {
            guard let kept = usedHeap(of: old) else { throw Record.malformed() }
            used += kept
        }
        return Self.size(Self.roundUp(used), over: old.count)
    }

    /// Writes an old record with some fields replaced, of the size that `size(of:over:)` gives.
    ///
    /// The two are not in the same memory.
    func write(
        _ assignments: RowAssignments,
        over old: Record,
        to target: UnsafeMutableRawPointer,
        size: Int
    ) {
        target.copyMemory(from: old.base, byteCount: fixedSize)
        for column in assignments.columns {
            let field = fields[column]
            let slot = assignments.values[0, column]
            let nulls = target + Int(field.nullByte)
            let others = nulls.load(as: UInt8.self) & ~field.nullMask
            nulls.storeBytes(of: slot.isNull ? others | field.nullMask : others, as: UInt8.self)
            switch field.kind {
            case .integer, .real:
                target.storeBytes(of: slot.bits, toByteOffset: Int(field.offset), as: UInt64.self)
            case .boolean, .uuid:
                Self.write(slot, field.slotKind, to: target + Int(field.offset))
            case .text, .data: break
            }
        }
        var used = fixedSize
        if changesHeap(assignments) {
            heap.visit { place in
                let slot = heapSlot(place, assignments, over: old)
                used = append(slot, to: target, used: used, endAt: place.offset)
            }
        } else {
            let kept = usedHeap(of: old) ?? 0
            (target + used).copyMemory(from: old.base + used, byteCount: kept)
            used += kept
        }
        finish(target, used: used, size: size)
    }
}

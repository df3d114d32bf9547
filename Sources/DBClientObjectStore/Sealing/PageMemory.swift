import DBClientCore

/// The memory of sealed pages, taken from the system in slabs of many.
///
/// To allocate each page by itself, aligned to its size, would take twice its size: between two of them there is room
/// for the allocator's own note, and for nothing else that is aligned alike.
enum PageMemory {
    /// So many bytes are taken from the system at a time, aligned to as many, so that a page finds its slab.
    private static let slabSize = 1 << 20
    /// The first page of a slab has its note.
    private static let pagesPerSlab = slabSize / SealedPage.memorySize - 1

    /// What the first page of a slab has.
    ///
    /// The slabs with free pages are in a list.
    private struct Slab {
        /// How many of its pages are in use.
        var usedCount = 0
        /// How many of its pages have been in use ever; the others are free as well.
        var touchedCount = 0
        /// The page that was freed last, which begins with the address of the one before.
        var free: UnsafeMutableRawPointer?
        var next: UnsafeMutablePointer<Slab>?
        var previous: UnsafeMutablePointer<Slab>?
    }

    private struct State: @unchecked Sendable {
        /// The slab to take the next page from, and the first of those with free pages.
        var open: UnsafeMutablePointer<Slab>?
        /// A slab without a page in use, kept for the next one.
        var spare: UnsafeMutablePointer<Slab>?
    }

    private static let state = UnfairMutex(State())

    /// Returns the memory of a page.
    static func allocate() -> UnsafeMutableRawPointer {
        state.withLock { state in
            let slab = state.open ?? open(&state)
            let page: UnsafeMutableRawPointer
            if let free = slab.pointee.free {
                slab.pointee.free = free.load(as: UnsafeMutableRawPointer?.self)
                page = free
            } else {
                slab.pointee.touchedCount += 1
                page = UnsafeMutableRawPointer(slab)
                    .advanced(by: slab.pointee.touchedCount * SealedPage.memorySize)
            }
            slab.pointee.usedCount += 1
            if slab.pointee.usedCount == pagesPerSlab { remove(slab, &state) }
            return page
        }
    }

    /// Gives the memory of a page back.
    static func deallocate(_ page: UnsafeMutableRawPointer) {
        let address = UInt(bitPattern: page) & ~UInt(slabSize - 1)
        guard let slab = UnsafeMutablePointer<Slab>(bitPattern: address) else { return }
        let isSpare = state.withLock { state -> Bool in
            page.storeBytes(of: slab.pointee.free, as: UnsafeMutableRawPointer?.self)
            slab.pointee.free = page
            if slab.pointee.usedCount == pagesPerSlab { add(slab, &state) }
            slab.pointee.usedCount -= 1
            if slab.pointee.usedCount > 0 { return false }
            remove(slab, &state)
            if state.spare != nil { return true }
            state.spare = slab
            return false
        }
        if isSpare { UnsafeMutableRawPointer(slab).deallocate() }
    }

    /// Opens a slab that has no page in use.
    private static func open(_ state: inout State) -> UnsafeMutablePointer<Slab> {
        let slab: UnsafeMutablePointer<Slab>
        if let spare = state.spare {
            state.spare = nil
            slab = spare
        } else {
            let memory = UnsafeMutableRawPointer.allocate(
                byteCount: slabSize,
                alignment: slabSize
            )
            slab = memory.initializeMemory(as: Slab.self, to: Slab())
        }
        add(slab, &state)
        return slab
    }

    private static func add(_ slab: UnsafeMutablePointer<Slab>, _ state: inout State) {
        slab.pointee.previous = nil
        slab.pointee.next = state.open
        state.open?.pointee.previous = slab
        state.open = slab
    }

    private static func remove(_ slab: UnsafeMutablePointer<Slab>, _ state: inout State) {
        let (next, previous) = (slab.pointee.next, slab.pointee.previous)
        next?.pointee.previous = previous
        if let previous { previous.pointee.next = next } else { state.open = next }
        slab.pointee.next = nil
        slab.pointee.previous = nil
    }
}

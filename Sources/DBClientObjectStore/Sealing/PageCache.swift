import DBClientCore

/// The opened pages of a store that were used last, by their tags, for every transaction of the process.
///
/// A tag is that of one version of a page, so that pages of several snapshots are side by side. It is as random as what
/// a cipher makes, so its bits choose the place: a shard with a lock of its own, and a row of eight in it.
final class PageCache: Sendable {
    private struct Slot {
        var tag = PageTag()
        var page: SealedPage?
        /// When it was used last, by the shard's count.
        var time: UInt32 = 0
    }

    private struct Shard {
        var slots: [Slot]
        var time: UInt32 = 0
    }

    private let shards: [Lock]
    private let rowMask: Int
    private static let shardCount = 32
    private static let rowSize = 8

    private final class Lock: Sendable {
        let shard: UnfairMutex<Shard>

        init(slots: Int) {
            shard = UnfairMutex(Shard(slots: Array(repeating: Slot(), count: slots)))
        }
    }

    /// Creates a cache of so many bytes, about.
    init(size: Int) {
        var rows = 1
        while rows * 2 * Self.rowSize * Self.shardCount * SealedPage.memorySize <= size {
            rows *= 2
        }
        rowMask = rows - 1
        shards = (0..<Self.shardCount).map { _ in Lock(slots: rows * Self.rowSize) }
    }

    @inline(__always)
    private func row(_ tag: PageTag) -> Int {
        (Int(truncatingIfNeeded: tag.first >> 8) & rowMask) * Self.rowSize
    }

    @inline(__always)
    private func shard(_ tag: PageTag) -> Lock {
        shards[Int(truncatingIfNeeded: tag.first) & (Self.shardCount - 1)]
    }

    /// Returns the page with a tag.
    func page(_ tag: PageTag) -> SealedPage? {
        let row = row(tag)
        return shard(tag).shard.withLock { shard -> SealedPage? in
            shard.slots.withUnsafeMutableBufferPointer { slots in
                for place in row..<row + Self.rowSize where slots[place].tag == tag {
                    shard.time &+= 1
                    slots[place].time = shard.time
                    return slots[place].page
                }
                return nil
            }
        }
    }

    /// Takes a page in, in place of the one of its row that was used longest ago, and returns the one that is there:
    /// another caller's, if that opened the same page meanwhile.
    @discardableResult
    func insert(_ page: SealedPage) -> SealedPage {
        // One large value would be worth many pages.
        guard page.size <= SealedPage.memorySize else { return page }
        let tag = page.tag
        let row = row(tag)
        let (old, present) = shard(tag).shard.withLock { shard -> (SealedPage?, SealedPage) in
            shard.time &+= 1
            let time = shard.time
            return shard.slots.withUnsafeMutableBufferPointer { slots in
                var oldest = row
                for place in row..<row + Self.rowSize {
                    if slots[place].tag == tag, let known = slots[place].page {
                        return (nil, known)
                    }
                }
                for place in row..<row + Self.rowSize {
                    if slots[place].page == nil {
                        oldest = place
                        break
                    }
                    if time &- slots[place].time > time &- slots[oldest].time { oldest = place }
                }
                let old = slots[oldest].page
                slots[oldest] = Slot(tag: tag, page: page, time: time)
                return (old, page)
            }
        }
        // Overwritten and given back outside the lock.
        withExtendedLifetime(old) {}
        return present
    }

    /// Lets go of the page with a tag.
    func remove(_ tag: PageTag) {
        let row = row(tag)
        let old = shard(tag).shard.withLock { shard -> SealedPage? in
            shard.slots.withUnsafeMutableBufferPointer { slots in
                for place in row..<row + Self.rowSize where slots[place].tag == tag {
                    defer { slots[place] = Slot() }
                    return slots[place].page
                }
                return nil
            }
        }
        withExtendedLifetime(old) {}
    }

    /// Empties the cache; pages that are in use live on with their users.
    func removeAll() {
        for lock in shards {
            let old = lock.shard.withLock { shard -> [Slot] in
                let slots = shard.slots
                shard.slots = Array(repeating: Slot(), count: slots.count)
                return slots
            }
            withExtendedLifetime(old) {}
        }
    }
}

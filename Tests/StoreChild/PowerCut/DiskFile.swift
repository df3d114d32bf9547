/// A file as a disk has it, and what was done to it since it was last synced.
final class DiskFile {
    enum Change {
        /// Bytes of the record at a place.
        case write(place: Int, bytes: Range<Int>)
        case resize(Int)
    }

    /// What a disk writes whole or not at all.
    static let sectorSize = 512

    private(set) var durable: [UInt8] = []
    private(set) var pending: [Change] = []
    /// How many of the changes each sector is known to have, for those that have any.
    private(set) var sectorFloor: [Int: Int] = [:]
    /// How many of the changes of its size the file is known to have.
    private(set) var sizeFloor = 0
    private let bytes: [UInt8]

    /// Creates an empty file whose changes are parts of a record's bytes.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func write(_ range: Range<Int>, at place: Int, isDurable: Bool) {
        pending.append(.write(place: place, bytes: range))
        guard isDurable else { return }
        for sector in Self.sectors(place..<place + range.count) {
            sectorFloor[sector] = pending.count
        }
        sizeFloor = pending.count
    }

    func resize(to size: Int) {
        pending.append(.resize(size))
    }

    func sync() {
        durable = content { _ in
            pending.count
        } size: {
            pending.count
        }
        pending = []
        sectorFloor = [:]
        sizeFloor = 0
    }

    static func sectors(_ range: Range<Int>) -> ClosedRange<Int> {
        range.lowerBound / sectorSize...max(range.lowerBound, range.upperBound - 1) / sectorSize
    }

    /// Returns what the file has where each sector has so many of the changes, and the size so many of its own.
    ///
    /// A sector is written as memory had it at some time, so it has the first of the changes.
    func content(sector: (Int) -> Int, size: () -> Int) -> [UInt8] {
        if pending.isEmpty { return durable }
        var content = durable
        var counts: [Int: Int] = [:]
        func has(_ change: Int, _ number: Int) -> Bool {
            if let count = counts[number] { return change < count }
            let count = sector(number)
            counts[number] = count
            return change < count
        }
        var final = durable.count
        let sizeChanges = size()
        for (index, change) in pending.enumerated() {
            switch change {
            case .write(let place, let range):
                let end = place + range.count
                if index < sizeChanges { final = max(final, end) }
                if content.count < end {
                    content += [UInt8](repeating: 0, count: end - content.count)
                }
                for number in Self.sectors(place..<end) where has(index, number) {
                    let first = max(place, number * Self.sectorSize)
                    let last = min(end, (number + 1) * Self.sectorSize)
                    let source = range.lowerBound + first - place
                    content.replaceSubrange(
                        first..<last,
                        with: bytes[source..<source + last - first]
                    )
                }
            case .resize(let size):
                if index < sizeChanges { final = size }
                if size >= content.count { continue }
                for number in Self.sectors(size..<content.count) where has(index, number) {
                    let first = max(size, number * Self.sectorSize)
                    let last = min(content.count, (number + 1) * Self.sectorSize)
                    for place in first..<last { content[place] = 0 }
                }
            }
        }
        if final < content.count {
            content.removeLast(content.count - final)
        } else {
            content += [UInt8](repeating: 0, count: final - content.count)
        }
        return content
    }
}

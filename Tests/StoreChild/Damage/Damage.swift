import Foundation

/// Eighteen ways in which a file gets damaged, drawn from a seed.
enum Damage: Int, CaseIterable {
    case bit, byte, zeroPage, randomPage, onesPage, copiedPage, swappedPages, zeroSector,
        randomSector
    case cutAtPage, cutAnywhere, pageHeader, pageFlags, entryPlace, entryHeader, metaByte,
        formerPage, shifted

    /// Damages a file of pages, of which there is an earlier state.
    func apply(to file: inout [UInt8], former: [UInt8], _ random: inout Numbers64) {
        let size = 4_096
        let count = file.count / size
        let page = 2 + random.next(count - 2)
        let start = page * size
        func fill(_ range: Range<Int>, _ byte: () -> UInt8) {
            for place in range { file[place] = byte() }
        }
        switch self {
        case .bit: file[random.next(file.count)] ^= 1 << UInt8(random.next(8))
        case .byte: file[random.next(file.count)] = UInt8(random.next(256))
        case .zeroPage: fill(start..<start + size) { 0 }
        case .randomPage: fill(start..<start + size) { UInt8(random.next(256)) }
        case .onesPage: fill(start..<start + size) { 0xFF }
        case .copiedPage:
            let from = (2 + random.next(count - 2)) * size
            file.replaceSubrange(start..<start + size, with: file[from..<from + size])
        case .swappedPages:
            let other = (2 + random.next(count - 2)) * size
            let kept = Array(file[other..<other + size])
            file.replaceSubrange(other..<other + size, with: file[start..<start + size])
            file.replaceSubrange(start..<start + size, with: kept)
        case .zeroSector:
            let sector = random.next(file.count / 512) * 512
            fill(sector..<sector + 512) { 0 }
        case .randomSector:
            let sector = random.next(file.count / 512) * 512
            fill(sector..<sector + 512) { UInt8(random.next(256)) }
        case .cutAtPage: file.removeLast(file.count - start)
        case .cutAnywhere: file.removeLast(1 + random.next(file.count - 1))
        case .pageHeader: fill(start..<start + 16) { UInt8(random.next(256)) }
        case .pageFlags: file[start + 10] = UInt8(random.next(256))
        case .entryPlace:
            let place = start + 16 + 2 * random.next(20)
            fill(place..<place + 2) { UInt8(random.next(256)) }
        case .entryHeader:
            let entry = Int(file[start + 16]) | Int(file[start + 17]) << 8
            let place = start + min(entry, size - 8)
            fill(place..<place + 8) { UInt8(random.next(256)) }
        case .metaByte: file[random.next(2) * size + random.next(152)] = UInt8(random.next(256))
        case .formerPage:
            let end = min(former.count, file.count) / size
            let old = (2 + random.next(max(end - 2, 1))) * size
            file.replaceSubrange(old..<old + size, with: former[old..<old + size])
        case .shifted: file.insert(UInt8(random.next(256)), at: random.next(file.count))
        }
    }
}

/// Numbers that are the same for a seed on every machine.
struct Numbers64 {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0xD1B5_4A32_D192_ED03 }

    mutating func next(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(max(limit, 1)))
    }
}

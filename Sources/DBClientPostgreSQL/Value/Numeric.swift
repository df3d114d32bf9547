import DBClientCore

/// Turns the library's order-preserving decimals into the server's `numeric` and back, digit by
/// digit: both are exact.
enum Numeric {
    /// The most bytes of the server's form of 38 digits: a head of four numbers, eleven groups.
    static let maximumLength = 8 + 2 * 11

    /// Writes the server's form of an order-preserving decimal and returns its length, or nil when the
    /// bytes are no such decimal.
    static func encode(
        _ bytes: UnsafeRawBufferPointer,
        to target: UnsafeMutableRawPointer
    ) -> Int? {
        guard let sign = bytes.first, sign <= 2 else { return nil }
        if sign == 1 {
            for offset in 0..<4 { put(0, at: offset, of: target) }
            return 8
        }
        guard bytes.count >= 5, bytes.count <= 24 else { return nil }
        let mask: UInt8 = sign == 0 ? 0xFF : 0
        let exponent = (Int(bytes[1] ^ mask) << 8 | Int(bytes[2] ^ mask)) - 0x8000
        // The digits as base-10,000 groups: the first begins where the point's distance is a multiple
        // of four.
        let weight = (exponent - 1) >> 2
        var position = 4 * (weight + 1) - exponent
        var groups = 0
        var group = 0
        var digits = 0
        func flush() {
            put(Int16(group), at: 4 + groups, of: target)
            groups += 1
            group = 0
        }
        for index in 3..<bytes.count - 1 {
            let pair = Int(bytes[index] ^ mask) - 1
            guard (0...99).contains(pair) else { return nil }
            for digit in [pair / 10, pair % 10] {
                if groups == 11 {
                    if digit != 0 { return nil }
                    continue
                }
                group = group * 10 + digit
                digits += 1
                position += 1
                if position % 4 == 0 { flush() }
            }
        }
        while position % 4 != 0 {
            group *= 10
            position += 1
            if position % 4 == 0 { flush() }
        }
        while groups > 1, loaded(at: 3 + groups, of: target) == 0 { groups -= 1 }
        put(Int16(groups), at: 0, of: target)
        put(Int16(weight), at: 1, of: target)
        put(sign == 0 ? 0x4000 : 0, at: 2, of: target)
        let last = bytes[bytes.count - 2] ^ mask
        let significant = (last - 1) % 10 == 0 ? digits - 1 : digits
        put(Int16(max(0, min(significant - exponent, 16_383))), at: 3, of: target)
        return 8 + 2 * groups
    }

    /// Writes the order-preserving form of the server's `numeric` and returns its length, or nil when
    /// it is not a number or has more than 38 digits.
    static func decode(
        _ bytes: UnsafeRawBufferPointer,
        to target: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        guard bytes.count >= 8, let start = bytes.baseAddress else { return nil }
        let groups = Int(loaded(at: 0, of: start))
        let weight = Int(loaded(at: 1, of: start))
        let sign = UInt16(bitPattern: loaded(at: 2, of: start))
        guard bytes.count == 8 + 2 * groups, sign == 0 || sign == 0x4000 else { return nil }
        if groups <= 4 {
            return decodeShort(start, groups, weight, sign == 0 ? 0 : 0xFF, to: target)
        }
        // An array would be the larger part of the work for a number of a few digits.
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(4 * groups, 1)) {
            digits in
            for index in 0..<groups {
                let group = Int(loaded(at: 4 + index, of: start))
                guard (0...9_999).contains(group) else { return nil }
                let (high, low) = (group / 100, group % 100)
                digits[4 * index] = UInt8(high / 10)
                digits[4 * index + 1] = UInt8(high % 10)
                digits[4 * index + 2] = UInt8(low / 10)
                digits[4 * index + 3] = UInt8(low % 10)
            }
            var (first, end) = (0, 4 * groups)
            while first < end, digits[first] == 0 { first += 1 }
            while end > first, digits[end - 1] == 0 { end -= 1 }
            if first == end {
                target[0] = 1
                return 1
            }
            let exponent = 4 * (weight + 1) - first
            guard end - first <= 38, abs(exponent) < 0x8000 else { return nil }
            let mask: UInt8 = sign == 0 ? 0 : 0xFF
            target[0] = sign == 0 ? 2 : 0
            let biased = UInt16(exponent + 0x8000)
            target[1] = UInt8(biased >> 8) ^ mask
            target[2] = UInt8(truncatingIfNeeded: biased) ^ mask
            var count = 3
            for pair in stride(from: first, to: end, by: 2) {
                let low = pair + 1 < end ? digits[pair + 1] : 0
                target[count] = (digits[pair] * 10 + low + 1) ^ mask
                count += 1
            }
            target[count] = mask
            return count + 1
        }
    }

    /// Writes the form of a number whose digits fit a word, as nearly all do, without taking its digits apart.
    private static func decodeShort(
        _ start: UnsafeRawPointer,
        _ groups: Int,
        _ weight: Int,
        _ mask: UInt8,
        to target: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        var number: UInt64 = 0
        // What the first and the last group are that are not zero, and where.
        var (first, last): (UInt64, UInt64) = (0, 0)
        var (begin, end) = (0, 0)
        for index in 0..<groups {
            let group = UInt64(UInt16(bitPattern: loaded(at: 4 &+ index, of: start)))
            guard group < 10_000 else { return nil }
            number = number &* 10_000 &+ group
            if group == 0 { continue }
            if first == 0 { (first, begin) = (group, index) }
            (last, end) = (group, index)
        }
        if number == 0 {
            target[0] = 1
            return 1
        }
        let zeros = (first < 10 ? 3 : first < 100 ? 2 : first < 1_000 ? 1 : 0)
        let exponent = 4 &* (weight &+ 1 &- begin) &- zeros
        guard abs(exponent) < 0x8000 else { return nil }
        var count = 4 &* (end &+ 1 &- begin) &- zeros
        for _ in end &+ 1..<groups { number /= 10_000 }
        if last % 100 == 0 {
            number /= 100
            count &-= 2
            last /= 100
        }
        if last % 10 == 0 {
            number /= 10
            count &-= 1
        }
        if count & 1 == 1 { number &*= 10 }
        let pairs = (count &+ 1) >> 1
        let biased = UInt16(truncatingIfNeeded: exponent &+ 0x8000)
        target[0] = mask == 0 ? 2 : 0
        target[1] = UInt8(truncatingIfNeeded: biased >> 8) ^ mask
        target[2] = UInt8(truncatingIfNeeded: biased) ^ mask
        target[3 &+ pairs] = mask
        var place = 2 &+ pairs
        while place > 2 {
            target[place] = UInt8(truncatingIfNeeded: number % 100 &+ 1) ^ mask
            number /= 100
            place &-= 1
        }
        return 4 &+ pairs
    }

    /// The most bytes of the order-preserving form: sign, exponent, 19 pairs, end.
    static let maximumOrderedLength = 3 + 19 + 1

    private static func put(_ value: Int16, at index: Int, of target: UnsafeMutableRawPointer) {
        target.storeBytes(of: value.bigEndian, toByteOffset: 2 * index, as: Int16.self)
    }

    private static func loaded(at index: Int, of source: UnsafeRawPointer) -> Int16 {
        Int16(bigEndian: source.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self))
    }
}

/// Comparing and searching UTF-8, as it is or with A to Z lowered.
public enum TextMatching {
    /// Returns the order of two texts with A to Z lowered: negative, zero or positive.
    public static func compareFolded(
        _ left: UnsafeRawBufferPointer,
        _ right: UnsafeRawBufferPointer
    ) -> Int {
        for index in 0..<min(left.count, right.count) {
            let order = Int(asciiFolded(left[index])) - Int(asciiFolded(right[index]))
            if order != 0 { return order }
        }
        return left.count - right.count
    }

    /// Returns whether the bytes at an address are those of a text.
    static func isEqual(
        _ start: UnsafeRawPointer?,
        _ text: UnsafeRawBufferPointer,
        ignoringCase: Bool
    ) -> Bool {
        guard let start else { return text.isEmpty }
        let bytes = UnsafeRawBufferPointer(start: start, count: text.count)
        return ignoringCase ? compareFolded(bytes, text) == 0 : compareBytes(bytes, text) == 0
    }

    /// Returns whether a text has another in it.
    static func contains(
        _ text: UnsafeRawBufferPointer,
        _ needle: UnsafeRawBufferPointer,
        ignoringCase: Bool
    ) -> Bool {
        guard needle.count <= text.count else { return false }
        guard let start = text.baseAddress, let first = needle.first else {
            return needle.isEmpty
        }
        if !ignoringCase { return platformFind(needle, in: text) }
        let folded = asciiFolded(first)
        for offset in 0...text.count - needle.count
        where asciiFolded(text[offset]) == folded
            && isEqual(start + offset, needle, ignoringCase: true)
        {
            return true
        }
        return false
    }

    /// Returns whether a whole text matches a pattern of `*`, `?` and literal text.
    ///
    /// Greedy with one point of return, the usual linear-space algorithm: only the last `*` can ever
    /// need to take more.
    package static func matches(
        _ text: UnsafeRawBufferPointer,
        _ pattern: UnsafeRawBufferPointer,
        ignoringCase: Bool
    ) -> Bool {
        let star = UInt8(ascii: "*")
        var position = 0
        var next = 0
        var retry: (pattern: Int, text: Int)?
        while position < text.count {
            if next < pattern.count, pattern[next] == star {
                next += 1
                retry = (next, position)
            } else if next < pattern.count, pattern[next] == UInt8(ascii: "?") {
                next += 1
                position = endOfScalar(in: text, from: position)
            } else if next < pattern.count,
                pattern[next] == text[position]
                    || ignoringCase && asciiFolded(pattern[next]) == asciiFolded(text[position])
            {
                next += 1
                position += 1
            } else if let last = retry {
                let start = endOfScalar(in: text, from: last.text)
                retry = (last.pattern, start)
                next = last.pattern
                position = start
            } else {
                return false
            }
        }
        while next < pattern.count, pattern[next] == star { next += 1 }
        return next == pattern.count
    }

    private static func endOfScalar(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var end = start + 1
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}

/// Looking into a JSON array without decoding it.
enum JSONList {
    /// Returns whether an array in canonical form has an element with this canonical text.
    static func contains(
        _ element: UnsafeRawBufferPointer,
        in array: UnsafeRawBufferPointer
    ) -> Bool {
        guard array.count >= 2, array[0] == UInt8(ascii: "["), let start = array.baseAddress else {
            return false
        }
        var position = 1
        while position < array.count - 1 {
            let end = endOfElement(in: array, from: position)
            if end - position == element.count,
                TextMatching.isEqual(start + position, element, ignoringCase: false)
            {
                return true
            }
            position = end + 1
        }
        return false
    }

    /// Returns the number of elements of an array, or of pairs of an object.
    static func count(in list: UnsafeRawBufferPointer) -> Int {
        let isEmpty = list.dropFirst().dropLast().allSatisfy {
            $0 == UInt8(ascii: " ") || (9...13).contains($0)
        }
        if isEmpty { return 0 }
        var count = 0
        var position = 1
        while position < list.count - 1 {
            position = endOfElement(in: list, from: position) + 1
            count += 1
        }
        return count
    }

    private static func endOfElement(in array: UnsafeRawBufferPointer, from start: Int) -> Int {
        var depth = 0
        var isInString = false
        var position = start
        while position < array.count - 1 {
            let byte = array[position]
            if isInString {
                if byte == UInt8(ascii: "\\") {
                    position += 1
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
                depth += 1
            } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
                depth -= 1
            } else if byte == UInt8(ascii: ","), depth == 0 {
                return position
            }
            position += 1
        }
        return array.count - 1
    }
}

extension TextOrder {
    /// Returns the order of two texts: negative, zero or positive.
    public func compare(
        _ left: UnsafeRawBufferPointer,
        _ right: UnsafeRawBufferPointer
    ) -> Int {
        switch self {
        case .binary: compareBytes(left, right)
        case .caseInsensitive: TextMatching.compareFolded(left, right)
        case .natural: NaturalOrder.compare(left, right)
        }
    }
}

/// What Unicode's text segmentation (UAX #29) knows of a scalar: its Word_Break property, and whether it makes a segment a
/// word.
struct WordBreak {
    /// The values of the property, with the numbers of the table.
    enum Property: UInt8 {
        case other, carriageReturn, lineFeed, newline, extend, joiner, regionalIndicator, format,
            katakana
        case hebrewLetter, letter, singleQuote, doubleQuote, middleOfBoth, middleOfLetters,
            middleOfNumbers
        case numeric, extendsNumbersAndLetters, space
    }

    private let flags: UInt8

    private init(flags: UInt8) { self.flags = flags }

    /// Finds what is known of a scalar.
    init(_ scalar: UInt32, in table: UnsafeBufferPointer<UInt32>) {
        var low = 0
        var high = table.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if table[middle] >> 8 <= scalar { low = middle } else { high = middle }
        }
        self.init(flags: UInt8(truncatingIfNeeded: table[low]))
    }

    var property: Property { Property(rawValue: flags & 0x1F) ?? .other }

    /// Whether it is a pictograph, which a joiner joins to what is before.
    var isPictograph: Bool { flags & 0x20 != 0 }

    /// Whether it is a letter, a number or an emoji, of which every word has one.
    var isOfWord: Bool { flags & 0x40 != 0 }

    /// Whether it belongs to the scalar before, and is passed over by the rules.
    var isIgnored: Bool {
        switch property {
        case .extend, .joiner, .format: true
        default: false
        }
    }
}

extension WordBreak.Property {
    var isLetter: Bool { self == .letter || self == .hebrewLetter }

    var isMiddleOfWord: Bool {
        self == .middleOfLetters || self == .middleOfBoth || self == .singleQuote
    }

    var isMiddleOfNumber: Bool {
        self == .middleOfNumbers || self == .middleOfBoth || self == .singleQuote
    }

    var isLineBreak: Bool { self == .carriageReturn || self == .lineFeed || self == .newline }

    /// Whether what extends numbers and letters is joined to it.
    var isExtensible: Bool { isLetter || self == .numeric || self == .katakana }
}

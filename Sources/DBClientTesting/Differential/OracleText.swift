import DBClientCore
import Foundation

/// Text as bytes, for the oracle of the differential test.
enum OracleText {
    typealias Bytes = [UInt8]

    static func order(_ left: Bytes, _ right: Bytes) -> Int {
        for (first, second) in zip(left, right) where first != second {
            return first < second ? -1 : 1
        }
        return left.count - right.count
    }

    /// Returns the bytes, with A to Z lowered when case is ignored.
    static func bytes(_ text: String, ignoringCase: Bool) -> Bytes {
        text.utf8.map { ignoringCase && $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }
    }

    /// Orders texts as people do: in small plain letters, and numbers by their value.
    static func naturalOrder(_ left: String, _ right: String) -> Int {
        let (left, right) = (naturalParts(left), naturalParts(right))
        for (left, right) in zip(left, right) where left != right {
            if left.isNumber, right.isNumber, left.bytes.count != right.bytes.count {
                return left.bytes.count - right.bytes.count
            }
            return order(left.shown, right.shown)
        }
        return left.count - right.count
    }

    /// A number without leading zeros, or one byte of anything else.
    private struct NaturalPart: Equatable {
        var bytes: Bytes
        let isNumber: Bool

        /// The digits of a number without leading zeros, of which zero keeps one.
        var shown: Bytes { bytes.isEmpty ? [48] : bytes }
    }

    private static func naturalParts(_ text: String) -> [NaturalPart] {
        var parts: [NaturalPart] = []
        var isInNumber = false
        for byte in foldedBytes(text) {
            let isDigit = (48...57).contains(byte)
            if !isDigit || !isInNumber { parts.append(NaturalPart(bytes: [], isNumber: isDigit)) }
            isInNumber = isDigit
            let isLeadingZero = byte == 48 && parts[parts.count - 1].bytes.isEmpty
            if !isLeadingZero { parts[parts.count - 1].bytes.append(byte) }
        }
        return parts
    }

    /// Returns the bytes of a text whose case, accents and width do not count.
    static func foldedBytes(_ text: String) -> Bytes {
        let folded = text.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
            locale: nil
        )
        return bytes(folded, ignoringCase: true)
    }

    static func contains(_ text: Bytes, _ needle: Bytes) -> Bool {
        if needle.count > text.count { return false }
        return (0...text.count - needle.count).contains { start in
            Array(text[start..<start + needle.count]) == needle
        }
    }

    /// Returns whether a text matches a pattern of `*` and `?`, by trying what each may stand for.
    ///
    /// `reachable` holds the positions of the text that the part of the pattern so far can end at.
    static func isLike(_ text: String, _ pattern: String, ignoringCase: Bool) -> Bool {
        let scalars = folded(text, ignoringCase)
        var reachable: Set<Int> = [0]
        for wanted in folded(pattern, ignoringCase) {
            switch wanted {
            case "*":
                let first = reachable.min() ?? scalars.count + 1
                reachable = first > scalars.count ? [] : Set(first...scalars.count)
            case "?":
                reachable = Set(reachable.filter { $0 < scalars.count }.map { $0 + 1 })
            default:
                reachable = Set(
                    reachable.filter { $0 < scalars.count && scalars[$0] == wanted }.map { $0 + 1 }
                )
            }
        }
        return reachable.contains(scalars.count)
    }

    private static func folded(_ text: String, _ ignoringCase: Bool) -> [Unicode.Scalar] {
        text.unicodeScalars.map { scalar in
            guard ignoringCase, scalar.value >= 65, scalar.value <= 90 else { return scalar }
            return Unicode.Scalar(UInt8(scalar.value + 32))
        }
    }
}

extension TextFolding.Match {
    /// Returns whether bytes match others, both of them of folded texts.
    func holds(_ text: OracleText.Bytes, _ wanted: OracleText.Bytes) -> Bool {
        switch self {
        case .equals: text == wanted
        case .hasPrefix: Array(text.prefix(wanted.count)) == wanted
        case .hasSuffix: Array(text.suffix(wanted.count)) == wanted
        case .contains: OracleText.contains(text, wanted)
        }
    }
}

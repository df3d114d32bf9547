import Foundation

/// Text as it is where case, accents and the width of letters do not count: the same on every engine and in every locale.
///
/// `Café`, `CAFÉ` and `cafe` fold to `cafe`, whether an accent is a scalar of its own or not, and so do full-width letters.
/// Nothing follows the habits of one language: `ß` folds to `ss`, `İ` to `i` and `ı` to itself. A letter that Unicode does
/// not put together from another and a mark stays itself, such as `ø`, `ł` and `æ`; so does a mark that follows no letter.
/// ``NaturalOrder`` sorts by the same folding.
public enum TextFolding {
    /// How a folded text is compared with another that is folded as well.
    public enum Match: UInt8, Hashable, Sendable, CaseIterable {
        /// The folded texts have the same bytes.
        case equals
        /// The text begins with the other.
        case hasPrefix
        /// The text ends with the other.
        case hasSuffix
        /// The text has the other in it.
        case contains
    }

    /// Returns a text without case, accents and the width of letters, for comparison; not for display.
    public static func folded(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            withFolded(UnsafeRawBufferPointer(bytes)) {
                String(decoding: $0.lazy.map(asciiFolded), as: UTF8.self)
            }
        }
    }

    /// Calls a function with the bytes of a text that is folded but for A to Z, which the function lowers as it goes.
    static func withFolded<Result>(
        _ text: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        if text.allSatisfy({ $0 < 128 }) { return try body(text) }
        var folded = String(decoding: text, as: UTF8.self).folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
            locale: nil
        )
        return try folded.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
}

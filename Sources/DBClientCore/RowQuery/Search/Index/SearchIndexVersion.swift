/// What the words of an index depend on beside the texts.
///
/// An index of another version is not used, since the words of a text may be others.
package enum SearchIndexVersion {
    /// The version of this program: the form of the index, the table of word boundaries, and the folding, which is the
    /// system's.
    package static let current: String = {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for entry in WordBreak.table { withUnsafeBytes(of: entry) { $0.forEach(add) } }
        var text = ""
        for range in foldedRanges {
            for scalar in range.lazy.compactMap(Unicode.Scalar.init) {
                text.unicodeScalars.append(scalar)
                text += " "
            }
        }
        text.withUTF8 { bytes in
            TextFolding.withFolded(UnsafeRawBufferPointer(bytes)) { $0.forEach(add) }
        }
        return "1-" + String(hash, radix: 16)
    }()

    /// The scalars that have case, accents or a width, those that came to Unicode last among them.
    private static let foldedRanges: [ClosedRange<UInt32>] = [
        0xA0...0x5FF, 0x10A0...0x10FF, 0x13A0...0x13FF, 0x1C80...0x1CBF, 0x1D00...0x1FFF,
        0x2100...0x218F, 0x24B6...0x24E9, 0x2C00...0x2DFF, 0x3040...0x30FF, 0xA640...0xA7FF,
        0xAB30...0xABBF, 0xFB00...0xFB4F, 0xFF01...0xFFEE, 0x10400...0x104FF, 0x10570...0x105BF,
        0x10C80...0x10CFF, 0x10D50...0x10D85, 0x118A0...0x118DF, 0x16E40...0x16EDF,
        0x1E900...0x1E943,
    ]
}

extension String {
    /// The number of columns that the text takes on a terminal.
    ///
    /// A letter with its accents is one column, whether they are composed or not; East Asian wide
    /// characters and emoji are two.
    var displayWidth: Int {
        reduce(0) { $0 + $1.displayWidth }
    }

    /// Returns the text with spaces added to take a number of columns.
    func padded(to width: Int, alignedRight: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, width - displayWidth))
        return alignedRight ? padding + self : self + padding
    }

    /// Returns the text, cut and marked with an ellipsis if it takes more than a number of columns.
    func truncated(to width: Int) -> String {
        guard displayWidth > width else { return self }
        var text = ""
        var used = 0
        for character in self {
            guard used + character.displayWidth < width else { break }
            text.append(character)
            used += character.displayWidth
        }
        return text + "…"
    }
}

extension Swift.Character {
    fileprivate var displayWidth: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        switch scalar.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        return scalar.isWide || unicodeScalars.contains("\u{FE0F}") ? 2 : 1
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is of East Asian width W or F, in the blocks that matter for names.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: properties.isEmojiPresentation
        }
    }
}

/// Literals and comments of Swift.
enum SwiftLiteral {
    /// Returns a string literal that has no interpolation.
    static func string(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            default:
                let isPlain =
                    scalar.isASCII
                    ? scalar.value >= 0x20 && scalar.value != 0x7F : scalar.properties.isAlphabetic
                if isPlain {
                    literal.unicodeScalars.append(scalar)
                } else {
                    literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                }
            }
        }
        return literal + "\""
    }

    /// Returns text as lines of a comment, each after a mark.
    static func comment(_ text: String, after mark: String) -> [String] {
        lines(of: text).map { $0.isEmpty ? mark : "\(mark) \($0)" }
    }

    /// Returns text on one line.
    static func oneLine(_ text: String) -> String {
        lines(of: text).joined(separator: " ")
    }

    /// The lines of a text, without what is no text to an editor, and without blank ones at its ends.
    private static func lines(of text: String) -> [String] {
        var lines: [String] = [""]
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": continue
            case "\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": lines.append("")
            case "\t": lines[lines.count - 1] += "    "
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .unassigned, .privateUse: continue
                default: lines[lines.count - 1].unicodeScalars.append(scalar)
                }
            }
        }
        lines = lines.map { line in
            var line = line[...]
            while line.last == " " { line.removeLast() }
            return String(line)
        }
        while lines.first == "" { lines.removeFirst() }
        while lines.last == "" { lines.removeLast() }
        return lines
    }
}

/// Text to look for, always literal but for the two wildcards of `.wildcard`.
public struct TextPattern: Sendable {
    /// Where the text is looked for.
    public enum Kind: UInt8, Hashable, Sendable {
        case prefix
        case suffix
        case contains
        /// `*` stands for any text, `?` for any one Unicode scalar, the rest for itself.
        case wildcard
    }

    /// Where the text is looked for.
    public let kind: Kind
    /// The text to look for, where `*` and `?` are wildcards if the kind is `.wildcard`.
    public let text: String
    /// Whether A to Z match a to z.
    public let ignoresCase: Bool

    /// Creates a pattern, by default one that tells A to Z from a to z.
    public init(_ kind: Kind, _ text: String, ignoresCase: Bool = false) {
        self.kind = kind
        self.text = text
        self.ignoresCase = ignoresCase
    }
}

extension TextPattern: Hashable {
    /// Compares the text by its bytes.
    public static func == (left: TextPattern, right: TextPattern) -> Bool {
        left.kind == right.kind && left.ignoresCase == right.ignoresCase
            && left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the text by its bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(ignoresCase)
        StorageValue.text(text).hash(into: &hasher)
    }
}

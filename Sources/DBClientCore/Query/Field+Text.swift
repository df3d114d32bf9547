/// A field that holds text or optional text.
public protocol TextValue {}
extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension Field where Value: TextValue {
    /// True when the text begins with another, byte for byte or with A to Z matching a to z.
    public func hasPrefix(_ prefix: String, ignoringCase: Bool = false) -> Condition<Model> {
        matches(.prefix, prefix, ignoringCase)
    }

    /// True when the text ends with another.
    public func hasSuffix(_ suffix: String, ignoringCase: Bool = false) -> Condition<Model> {
        matches(.suffix, suffix, ignoringCase)
    }

    /// True when the text has another in it; every text has the empty one.
    public func contains(_ text: String, ignoringCase: Bool = false) -> Condition<Model> {
        matches(.contains, text, ignoringCase)
    }

    /// True when the whole text matches a pattern in which `*` stands for any text and `?` for any
    /// one Unicode scalar.
    ///
    /// Everything else stands for itself.
    public func isLike(_ pattern: String, ignoringCase: Bool = false) -> Condition<Model> {
        matches(.wildcard, pattern, ignoringCase)
    }

    /// True when the text equals another except for the case of A to Z.
    public func equalsIgnoringCase(_ text: String) -> Condition<Model> {
        condition { column, entity in
            let stored = try entity.naming(column) { try StorageValue(storing: text) }
            return .compare(column: column, .equal, stored, .caseInsensitive)
        }
    }

    private func matches(
        _ kind: TextPattern.Kind,
        _ text: String,
        _ ignoresCase: Bool
    ) -> Condition<Model> {
        condition { column, entity in
            // Stored text has no NUL, so text to look for with one is a mistake: the same refusal.
            _ = try entity.naming(column) { try StorageValue(storing: text) }
            return .matches(column: column, TextPattern(kind, text, ignoresCase: ignoresCase))
        }
    }
}

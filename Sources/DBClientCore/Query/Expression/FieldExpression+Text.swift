// Text by its folding, where case, accents and the width of letters do not count.
extension ExpressionTerm where Value: ExpressionValue & TextValue {
    /// Returns the text where case, accents and the width of letters do not count: `Café` and `CAFÉ` are `cafe`; see
    /// ``TextFolding``.
    public func folded() -> FieldExpression<Model, Value> { calling(.folded) }

    /// True when the folded text has another in it, which is folded as well; every text has the empty one.
    ///
    /// ```swift
    /// let places = try await client.fetch(Place.where { $0.name.containsFolding("cafe") })
    /// ```
    public func containsFolding(_ text: String) -> Condition<Model> { folding(.contains, text) }

    /// True when the folded text begins with another, which is folded as well.
    public func hasPrefixFolding(_ prefix: String) -> Condition<Model> {
        folding(.hasPrefix, prefix)
    }

    /// True when the folded text ends with another, which is folded as well.
    public func hasSuffixFolding(_ suffix: String) -> Condition<Model> {
        folding(.hasSuffix, suffix)
    }

    /// True when the text and another are equal once they are folded.
    public func equalsFolding(_ text: String) -> Condition<Model> { folding(.equals, text) }

    private func folding(_ match: TextFolding.Match, _ text: String) -> Condition<Model> {
        fieldExpression.condition { .folding($0, match, try StorageValue(storing: text)) }
    }
}

extension FieldExpression where Value: ExpressionValue & TextValue {
    /// True when the text begins with another, byte for byte or with A to Z matching a to z.
    public func hasPrefix(_ prefix: String, ignoringCase: Bool = false) -> Condition<Model> {
        matches(.hasPrefix, prefix, ignoringCase)
    }

    /// True when the text ends with another.
    public func hasSuffix(_ suffix: String, ignoringCase: Bool = false) -> Condition<Model> {
        matches(.hasSuffix, suffix, ignoringCase)
    }

    /// True when the text has another in it; every text has the empty one.
    public func contains(_ text: String, ignoringCase: Bool = false) -> Condition<Model> {
        matches(.contains, text, ignoringCase)
    }

    private func matches(
        _ match: RowFunction,
        _ text: String,
        _ ignoresCase: Bool
    ) -> Condition<Model> {
        condition { row in
            let wanted = try StorageValue(
                storing: ignoresCase
                    ? String(decoding: Array(asciiFolded(text)), as: UTF8.self) : text
            )
            let row = ignoresCase ? .function(.lowercased, .text, [row]) : row
            return .matching(row, match, wanted)
        }
    }
}

extension RowCondition {
    /// Returns whether what is computed, a text, matches another once both are folded.
    static func folding(
        _ text: RowExpression,
        _ match: TextFolding.Match,
        _ other: StorageValue
    ) -> RowCondition {
        guard case .text(let other) = other else { return .constant(false) }
        let wanted = StorageValue.text(TextFolding.folded(other))
        let folded = RowExpression.function(.folded, .text, [text])
        return switch match {
        case .equals: .computed(folded, .equal, .constant(wanted, .text))
        case .hasPrefix: matching(folded, .hasPrefix, wanted)
        case .hasSuffix: matching(folded, .hasSuffix, wanted)
        case .contains: matching(folded, .contains, wanted)
        }
    }

    fileprivate static func matching(
        _ text: RowExpression,
        _ match: RowFunction,
        _ other: StorageValue
    ) -> RowCondition {
        .computed(
            .function(match, .boolean, [text, .constant(other, .text)]),
            .equal,
            .constant(.integer(1), .boolean)
        )
    }
}

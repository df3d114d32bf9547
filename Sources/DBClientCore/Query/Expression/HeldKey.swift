/// A key of what a to-one relationship holds, which is at hand in the model's own columns, as a field of the other model.
///
/// An expression of such keys alone is computed from the model's own row. With other fields of the same related value it is
/// computed from that.
struct HeldKey: Sendable {
    /// The way from the model to the one whose key it is.
    let path: [RelatedRows]
    /// The position of the key there.
    let position: Int
}

/// An expression of keys that are held, as one of the fields of the model that they are keys of.
final class HeldExpression: Sendable {
    /// The way from the model to the one that has the fields.
    let path: [RelatedRows]
    /// The expression as engines see it.
    let row: RowExpression

    init(path: [RelatedRows], _ row: RowExpression) {
        self.path = path
        self.row = row
    }
}

extension FieldExpression {
    /// Returns this expression and another as they are of one value, where they are.
    func aligned<Other>(
        with other: FieldExpression<Model, Other>
    ) -> (FieldExpression, FieldExpression<Model, Other>) {
        if path == other.path { return (self, other) }
        if let held, held.path == other.path { return (computed(from: held), other) }
        if let held = other.held, held.path == path { return (self, other.computed(from: held)) }
        return (self, other)
    }

    private func computed(from held: HeldExpression) -> FieldExpression {
        FieldExpression(scope: scope, path: held.path) {
            if let failure { throw failure }
            return held.row
        }
    }
}

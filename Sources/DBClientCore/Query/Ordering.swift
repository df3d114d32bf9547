/// One key of a sort of a model's values.
public struct Ordering<Model: StoredConvertible>: SortTerm, Sendable {
    /// The key as engines see it.
    var row: RowOrdering
    let failure: DBClientError?

    /// Itself.
    public var ordering: Ordering<Model> { self }

    /// The same key with absent values before all others.
    public var nilsFirst: Ordering {
        var copy = self
        copy.row.nilsFirst = true
        return copy
    }

    /// The same key with absent values after all others.
    public var nilsLast: Ordering {
        var copy = self
        copy.row.nilsFirst = false
        return copy
    }

    /// The same key with A to Z sorted as a to z.
    public var caseInsensitive: Ordering {
        var copy = self
        copy.row.text = .caseInsensitive
        return copy
    }

    /// The same key with text sorted as people sort names: without regard to case, accents and width,
    /// and numbers by their value, so that "Issue 9" comes before "issue 10" and "Élan" beside "elan".
    ///
    /// The order is the same on every engine and in every locale. No index serves it.
    public var natural: Ordering {
        var copy = self
        copy.row.text = .natural
        return copy
    }
}

/// What a sort is made of: a field, which sorts ascending, or an `Ordering`.
public protocol SortTerm<Model>: Sendable {
    /// The model.
    associatedtype Model: StoredConvertible
    /// The sort key.
    var ordering: Ordering<Model> { get }
}

extension Field: SortTerm {
    /// Smallest first.
    public var ordering: Ordering<Model> { ascending }

    /// Smallest first; absent values come first.
    public var ascending: Ordering<Model> {
        Ordering(row: RowOrdering(column: position, path: path), failure: sortFailure)
    }

    /// Largest first; absent values come last.
    public var descending: Ordering<Model> {
        Ordering(
            row: RowOrdering(column: position, isDescending: true, path: path),
            failure: sortFailure
        )
    }

    /// Smallest first, absent values before all others.
    public var nilsFirst: Ordering<Model> { ascending.nilsFirst }

    /// Smallest first, absent values after all others.
    public var nilsLast: Ordering<Model> { ascending.nilsLast }

    /// Whether the field is a struct of several fields.
    var isEmbedded: Bool {
        let type = (Value.self as? any OptionalType.Type)?.wrapped ?? Value.self
        return type is any EmbeddedValue.Type
    }

    private var sortFailure: DBClientError? {
        if let failure = failure ?? substituteFailure { return failure }
        if relationship == nil, !isEmbedded { return nil }
        let what = relationship == nil ? "An embedded struct" : "A relationship"
        return DBClientError(
            .invalidRequest,
            "\(what) has no order; its fields have.",
            entity: entity.name,
            field: relationship?.name ?? entity.fields[position].name
        )
    }
}

extension Field where Value: TextValue {
    /// Smallest first, A to Z sorted as a to z.
    public var caseInsensitive: Ordering<Model> { ascending.caseInsensitive }

    /// As people sort names, smallest first; see ``Ordering/natural``.
    public var natural: Ordering<Model> { ascending.natural }
}

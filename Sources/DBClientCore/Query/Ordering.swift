public import Foundation

/// One key of a sort of a model's values.
public struct Ordering<Model: StoredConvertible>: SortTerm, Sendable {
    /// The key as engines see it.
    var row: RowOrdering
    let failure: DBClientError?

    /// The ordering itself, which needs no conversion.
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

/// A term of a sort: a field, which sorts ascending, or an `Ordering`.
public protocol SortTerm<Model>: Sendable {
    /// The model whose values are sorted.
    associatedtype Model: StoredConvertible
    /// The value as one key of a sort.
    var ordering: Ordering<Model> { get }
}

extension Field: SortTerm {
    /// Smallest first, unless the field is ``descending``.
    public var ordering: Ordering<Model> { isDescending ? descending : ascending }

    /// Smallest first; absent values come first.
    public var ascending: Ordering<Model> {
        if isSubstituted { return undirected.ascending }
        return Ordering(row: RowOrdering(column: position, path: path), failure: sortFailure)
    }

    /// Largest first; absent values come last.
    public var descending: Ordering<Model> {
        if isSubstituted { return undirected.descending }
        return Ordering(
            row: RowOrdering(column: position, isDescending: true, path: path),
            failure: sortFailure
        )
    }

    /// The key in an order of Foundation's: `$0.name.sorted(isAscending ? .forward : .reverse)`.
    public func sorted(_ order: SortOrder) -> Ordering<Model> {
        order == .forward ? ascending : descending
    }

    /// Smallest first, absent values before all others.
    public var nilsFirst: Ordering<Model> { ordering.nilsFirst }

    /// Smallest first, absent values after all others.
    public var nilsLast: Ordering<Model> { ordering.nilsLast }

    /// Whether the field is a struct of several fields.
    var isEmbedded: Bool {
        let type = (Value.self as? any OptionalType.Type)?.wrapped ?? Value.self
        return type is any EmbeddedValue.Type
    }

    /// What is sorted by, without the direction.
    private var undirected: FieldExpression<Model, Value> {
        var copy = self
        copy.isDescending = false
        return copy.fieldExpression
    }

    private var sortFailure: DBClientError? {
        if let failure = failure ?? substituteFailure { return failure }
        if relationship == nil, !isEmbedded { return nil }
        // A reference is as its key is.
        if let relationship, relationship.isByReference, relationship.columns.count == 1 {
            return nil
        }
        let what = relationship == nil ? "An embedded struct" : "A relationship"
        return DBClientError(
            .invalidRequest,
            "\(what) must not be sorted by as a whole; sort by its fields.",
            entity: entity.name,
            field: relationship?.name ?? entity.fields[position].name
        )
    }
}

/// A field that is largest first of itself, so that both sides of a choice are fields:
/// `sorted { isAscending ? $0.name : $0.name.descending }`.
public protocol DirectedTerm<Model>: SortTerm {
    /// The same field, largest first; of use in a sort alone.
    var reversedField: Self { get }
}

extension DirectedTerm {
    /// Largest first, as a field: for a choice between a field and the same field descending.
    @_disfavoredOverload
    public var descending: Self { reversedField }
}

extension Field: DirectedTerm {
    /// The same field, largest first; of use in a sort alone.
    public var reversedField: Self {
        var copy = self
        copy.isDescending.toggle()
        return copy
    }
}

extension Field where Value: TextValue {
    /// Smallest first, A to Z sorted as a to z.
    public var caseInsensitive: Ordering<Model> { ordering.caseInsensitive }

    /// Sorts as people sort names, smallest first; see ``Ordering/natural``.
    public var natural: Ordering<Model> { ordering.natural }
}

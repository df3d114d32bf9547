/// A custom struct that rows of requests, of joins and of groups are read into, by the names of its properties.
///
/// ```swift
/// @Selection struct ReportRow {
///     let category: String?
///     let revenue: Int
/// }
///
/// let rows = try await client.fetch(
///     Line.join(Product.self) { $0.product == $1.id }
///         .select(into: ReportRow.self) { line, product in
///             .init(category: product.category, revenue: line.price * line.quantity)
///         }
/// )
/// ```
///
/// The macro ``Selection()`` writes what is required.
public protocol Selection: Sendable {
    /// What each property is read from.
    associatedtype Columns: SelectionColumns where Columns.SelectionResult == Self
}

/// What each property of a ``Selection`` is read from; `@Selection` writes the type.
public protocol SelectionColumns {
    /// The struct that has the properties.
    associatedtype SelectionResult: Selection

    /// The columns in the order in which they are read, and how a value is made of them.
    var selected: SelectedRow<SelectionResult> { get }
}

/// What a property of a ``Selection`` is read from: a field, what is computed from fields, a model of a join as a whole, or, of
/// groups, a key or an aggregate.
public protocol SelectionTerm<Selected>: Sendable {
    /// The type of what is selected.
    associatedtype Selected: Sendable

    /// How it is selected and read.
    var selectedColumn: SelectedColumn<Selected> { get }
}

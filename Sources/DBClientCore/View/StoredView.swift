/// A model whose values are what a request of other models comes to, kept in the store by the commits that change them.
///
/// It is fetched, indexed, joined and observed as any model is, at the cost of its own rows. The library writes them: a
/// transaction that writes values of the other models reads the groups that they are of, or were of, and writes their rows,
/// all in the same commit. So every snapshot has the view as the request would give it there.
///
/// ```swift
/// @StoredView struct Revenue {
///     @PrimaryKey let category: String
///     let total: Int
///
///     static var definition: SelectRequest<Revenue> {
///         Line.all.grouped { $0.category }.select(into: Revenue.self) { group, keys in
///             .init(category: keys[0], total: group.sum(\.amount))
///         }
///     }
/// }
///
/// extension Line {
///     static let storedViews: [any StoredView.Type] = [Revenue.self]
/// }
/// ```
///
/// The definition selects into the view itself, either groups, whose keys are the view's primary key, or some fields of each
/// value, with the primary key of the model as that of the view. It is of one model, or of joined ones that each value leads
/// to by primary keys; all of them name the view in ``Stored/storedViews``. It has no limit, offset, sort or window. Another
/// one throws `.invalidSchema` at the first use of any of the models.
public protocol StoredView: Stored, Selection {
    /// The request whose rows are the view's values.
    static var definition: SelectRequest<Self> { get }
}

/// The treatment of a copied value whose primary key the target has already.
public enum CopyConflictPolicy: Hashable, Sendable {
    /// Nothing is copied, and `.duplicateKey` is thrown.
    case refuse
    /// The value of the source takes the place of that of the target, with what it holds.
    ///
    /// Values of the target whose keys the source does not have stay as they are.
    case replace
}

/// An element of an observation: first the values as they are, then each change to them.
public enum Change<Model: StoredConvertible>: Sendable {
    /// The values when the observation began.
    case initial(ResultCollection<Model>)
    /// How the values changed since the last element; never without any change.
    case update(ChangeSet<Model>)

    /// The values of the first result, or those after the change.
    public var objects: ResultCollection<Model> {
        switch self {
        case .initial(let objects): objects
        case .update(let changes): changes.objects
        }
    }
}

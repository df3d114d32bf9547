/// A `Codable` value that is stored as JSON, and whose properties name its parts in requests: `$0.info.address.city`.
///
/// `@Parts` writes the conformance. By hand it says of each property under which key it is encoded.
public protocol PartedValue: Codable, PartedTerm where Parted == Self {
    /// Returns the coding key of a property; nil for one that has none.
    static func partName(of keyPath: PartialKeyPath<Self>) -> String?
}

/// A value whose parts are named, or an optional one.
public protocol PartedTerm {
    /// The type itself, or the one that an optional wraps.
    associatedtype Parted: PartedValue
}

extension Optional: PartedTerm where Wrapped: PartedValue {
    /// The type that the optional wraps.
    public typealias Parted = Wrapped
}

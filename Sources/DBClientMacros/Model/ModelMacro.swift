#if Macros
/// The macros that turn a struct into a model.
enum ModelMacro: String, CaseIterable {
    case stored = "Stored"
    case embedded = "Embedded"

    /// The names of the attributes that make a struct such a model.
    var names: [String] { self == .stored ? [rawValue, "StoredView"] : [rawValue] }

    /// The attribute as the user writes it.
    var attribute: String { "@\(rawValue)" }
}
#endif

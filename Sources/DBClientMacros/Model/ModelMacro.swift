#if Macros
/// The macros that turn a struct into a model.
enum ModelMacro: String, CaseIterable {
    case stored = "Stored"
    case embedded = "Embedded"

    /// The attribute as the user writes it.
    var attribute: String { "@\(rawValue)" }
}
#endif

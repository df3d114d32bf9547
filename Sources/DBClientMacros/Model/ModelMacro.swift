#if Macros
/// The macros that turn a struct into a model.
enum ModelMacro: String, CaseIterable {
    case stored = "Stored"
    case embedded = "Embedded"

    /// The attribute as the user writes it.
    var attribute: String { "@\(rawValue)" }

    /// The protocol that the macro's extension adopts.
    var conformance: String {
        switch self {
        case .stored: "DBClientCore.Stored"
        case .embedded: "DBClientCore.EmbeddedValue"
        }
    }
}
#endif

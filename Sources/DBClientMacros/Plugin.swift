#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct DBClientMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        StoredMacro.self,
        StoredViewMacro.self,
        EmbeddedMacro.self,
        PartsMacro.self,
        SelectionMacro.self,
        PrimaryKeyMacro.self,
        IndexedMacro.self,
        UniqueMacro.self,
        TransientMacro.self,
        StoredNameMacro.self,
        StoredAsMacro.self,
        SearchableMacro.self,
        RelationshipMacro.self,
        ShardKeyMacro.self,
        InverseMacro.self,
    ]
}
#else
/// The plugin without the trait `Macros`: it provides nothing, and needs no swift-syntax.
@main
struct DBClientMacrosPlugin {
    static func main() {}
}
#endif

#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension Model {
    /// Reports shard keys that no store could keep rows together by.
    static func checkShardKeys(
        of fields: [Field],
        in macro: ModelMacro,
        diagnostics: inout [Diagnostic]
    ) {
        let marked = fields.filter { $0.property.markers.contains(.shardKey) }
        for (index, field) in marked.enumerated() {
            guard let attribute = field.property.markers[.shardKey] else { continue }
            let name = field.property.bareName
            if macro == .embedded {
                diagnostics.report(
                    .shardKeyInEmbedded(name),
                    at: attribute,
                    fixIts: [.remove(attribute)]
                )
            } else if index > 0 {
                diagnostics.report(
                    .secondShardKey(name, after: marked[0].property.bareName),
                    at: attribute,
                    fixIts: [.remove(attribute)]
                )
            } else if field.keyGeneration == nil {
                diagnostics.report(.shardKeyBesidePrimaryKey(name), at: attribute)
            }
        }
        guard macro == .stored, let shardKey = marked.first else { return }
        for field in fields
        where field.index == .unique && field.property.bareName != shardKey.property.bareName {
            guard let attribute = field.property.markers[.unique] else { continue }
            diagnostics.report(
                .uniqueBesideShardKey(field.property.bareName, shardKey.property.bareName),
                at: attribute
            )
        }
    }
}
#endif

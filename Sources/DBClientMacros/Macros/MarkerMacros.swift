#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A macro that generates nothing: `@Stored` reads it, and it refuses places that are not stored.
protocol MarkerMacro: PeerMacro {
    /// The marker that the macro stands for.
    static var marker: Marker { get }
}

extension MarkerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if let message = marker.misplacement(on: declaration, in: context.lexicalContext) {
            context.diagnose(Diagnostic(node: node, message: message, fixIts: [.remove(node)]))
        }
        return []
    }
}

/// The implementation of the marker `@PrimaryKey`.
enum PrimaryKeyMacro: MarkerMacro {
    static let marker = Marker.primaryKey
}

/// The implementation of the marker `@Indexed`.
enum IndexedMacro: MarkerMacro {
    static let marker = Marker.indexed
}

/// The implementation of the marker `@Unique`.
enum UniqueMacro: MarkerMacro {
    static let marker = Marker.unique
}

/// The implementation of the marker `@Transient`.
enum TransientMacro: MarkerMacro {
    static let marker = Marker.transient
}

/// The implementation of the marker `@StoredName`.
enum StoredNameMacro: MarkerMacro {
    static let marker = Marker.storedName
}

/// The implementation of the marker `@StoredAs`.
enum StoredAsMacro: MarkerMacro {
    static let marker = Marker.storedAs
}

/// The implementation of the marker `@ShardKey`.
enum ShardKeyMacro: MarkerMacro {
    static let marker = Marker.shardKey
}

/// The implementation of the marker `@Inverse`.
enum InverseMacro: MarkerMacro {
    static let marker = Marker.inverse
}

/// The implementation of the marker `@Searchable`.
enum SearchableMacro: MarkerMacro {
    static let marker = Marker.searchable
}

/// The implementation of the marker `@Relationship`.
enum RelationshipMacro: MarkerMacro {
    static let marker = Marker.relationship
}
#endif

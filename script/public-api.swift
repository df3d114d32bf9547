// Prints the public declarations of a module, one a line: swift script/public-api.swift <symbol graphs of the module>
//
// A line has the path of a declaration, its text, and the constraints of the extension that it stands in; a protocol
// or a superclass of a type has a line of its own. Members that a type inherits are left out.

import Foundation

/// The part of a symbol graph that tells what is public.
struct Graph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { var identifier: String }
        struct Identifier: Decodable { var precise: String }
        struct Fragment: Decodable { var spelling: String }

        struct Extension: Decodable {
            struct Constraint: Decodable {
                var kind: String
                var lhs: String
                var rhs: String
            }

            var constraints: [Constraint]?
        }

        var kind: Kind
        var identifier: Identifier
        var pathComponents: [String]
        var declarationFragments: [Fragment]?
        var swiftExtension: Extension?

        var path: String { pathComponents.joined(separator: ".") }
        var isInherited: Bool { identifier.precise.contains("::SYNTHESIZED::") }
    }

    struct Relationship: Decodable {
        var kind: String
        var source: String
        var target: String
        var targetFallback: String?
    }

    var symbols: [Symbol]
    var relationships: [Relationship]
}

/// What every type conforms to.
let implicit: Set = ["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"]
let operators = ["conformance": ":", "superclass": ":", "sameType": "=="]

var graphs: [Graph] = []
for path in CommandLine.arguments.dropFirst() {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    graphs.append(try JSONDecoder().decode(Graph.self, from: data))
}
let symbols = graphs.flatMap(\.symbols)
let relationships = graphs.flatMap(\.relationships)
let paths = Dictionary(symbols.map { ($0.identifier.precise, $0.path) }) { first, _ in first }
let requirements = Set(relationships.filter { $0.kind == "requirementOf" }.map(\.source))
let implemented = Set(relationships.filter { $0.kind == "defaultImplementationOf" }.map(\.target))

var lines: [String] = []
var conformances: Set<String> = []
for symbol in symbols where !symbol.isInherited && symbol.kind.identifier != "swift.extension" {
    let text = (symbol.declarationFragments ?? []).map(\.spelling).joined()
    var line =
        symbol.path + ": " + text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let constraints = (symbol.swiftExtension?.constraints ?? []).map {
        "\($0.lhs) \(operators[$0.kind] ?? $0.kind) \($0.rhs)"
    }
    if !constraints.isEmpty { line += " [" + constraints.joined(separator: ", ") + "]" }
    if requirements.contains(symbol.identifier.precise) {
        line +=
            implemented.contains(symbol.identifier.precise)
            ? " [requirement]" : " [requirement, no default]"
    }
    lines.append(line)
}
for relationship in relationships where ["conformsTo", "inheritsFrom"].contains(relationship.kind) {
    guard let path = paths[relationship.source] else { continue }
    let target = paths[relationship.target] ?? relationship.targetFallback ?? relationship.target
    if !implicit.contains(target) { conformances.insert("\(path): \(target)") }
}
for line in (lines + conformances).sorted() { print(line) }

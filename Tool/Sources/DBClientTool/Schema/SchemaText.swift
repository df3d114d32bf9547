package import DBClientCore

/// The entities of a store as lines of text that stay the same as long as what they describe does.
///
/// It is what `schema print` shows, what `schema lock` keeps in a file, and what is compared.
package enum SchemaText {
    /// Returns the description of entities, in the order of their names.
    package static func text(of entities: [EntitySchema]) -> String {
        entities.sorted { $0.exactName < $1.exactName }.map(text(of:)).joined(separator: "\n")
    }

    private static func text(of entity: EntitySchema) -> String {
        func names(_ positions: [Int]) -> String {
            positions.map { quoted(entity.fields[$0].name) }.joined(separator: ", ")
        }
        var lines = ["entity \(quoted(entity.name))"]
        // Engines keep fields in orders of their own.
        for field in entity.fields.sorted(by: {
            $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        }) {
            lines.append(
                "  field \(quoted(field.name)) \(field.form)\(field.isOptional ? " optional" : "")"
            )
        }
        lines.append("  key \(names(entity.primaryKey))")
        lines += entity.indexes.map { "  \($0.isUnique ? "unique" : "index") \(names($0.fields))" }
            .sorted()
        for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
            let target = quoted(relationship.targetName)
            lines.append(
                "  relationship \(quoted(relationship.name)) \(relationship.kind.rawValue) \(target)"
                    + " \(relationship.rule.rawValue)"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a name as it is, or in quotes where it is not a plain word.
    private static func quoted(_ name: String) -> String {
        let isPlain = !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        return isPlain ? name : JSONText.quoted(name)
    }

    /// Returns the lines that one text has and the other lacks, with the entity before them: `-` for those of the
    /// first, `+` for those of the second; empty where both are alike.
    package static func differences(_ first: String, _ second: String) -> [String] {
        let (before, after) = (blocks(first), blocks(second))
        var lines: [String] = []
        for name in Set(before.keys).union(after.keys).sorted() {
            let (old, new) = (before[name] ?? [], after[name] ?? [])
            if old == new { continue }
            if old.isEmpty {
                lines.append("+ \(name)")
            } else if new.isEmpty {
                lines.append("- \(name)")
            } else {
                lines.append("  \(name)")
            }
            lines += old.filter { !new.contains($0) }.map { "- \($0)" }
            lines += new.filter { !old.contains($0) }.map { "+ \($0)" }
        }
        return lines
    }

    /// The lines of each entity by its first one.
    private static func blocks(_ text: String) -> [String: [String]] {
        var blocks: [String: [String]] = [:]
        var name = ""
        for line in text.split(whereSeparator: \.isNewline).map(String.init) {
            if line.hasPrefix("#") { continue }
            if line.hasPrefix("entity ") {
                name = line
            } else {
                blocks[name, default: []].append(line)
            }
        }
        return blocks
    }
}

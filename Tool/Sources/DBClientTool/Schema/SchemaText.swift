/// What two descriptions of entities, as `EntityCatalog.schemaText` writes them, have in common.
package enum SchemaText {
    /// Returns the lines that one text has and the other lacks, with the entity before them: `-` for those of the
    /// first, `+` for those of the second; empty where both are alike.
    package static func differences(_ first: String, _ second: String) -> [String] {
        let (before, after) = (blocks(first), blocks(second))
        var lines: [String] = []
        for name in Set(before.keys).union(after.keys).sorted() {
            let (old, new) = (before[name] ?? [], after[name] ?? [])
            // A file may be written by hand, in another order.
            if old.sorted() == new.sorted() { continue }
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

import DBClientCore

/// Rows as columns of text for a person.
struct TextTable {
    private let titles: [String]
    private let alignsRight: [Bool]
    private var rows: [[String]] = []

    private static let maximumWidth = 60

    init(_ titles: [String], alignsRight: [Bool]) {
        self.titles = titles
        self.alignsRight = alignsRight
    }

    mutating func add(_ values: [String]) {
        rows.append(values.map(Self.shown))
    }

    /// The lines with a rule under the titles.
    var text: String {
        let widths = titles.indices.map { column in
            ([titles[column]] + rows.map { $0[column] }).map(\.count).max() ?? 0
        }
        func line(_ values: [String]) -> String {
            var line = ""
            for (column, value) in values.enumerated() {
                let blanks = String(repeating: " ", count: widths[column] - value.count)
                line +=
                    (column == 0 ? "" : "  ")
                    + (alignsRight[column] ? blanks + value : value + blanks)
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([titles, rule] + rows).map(line).joined()
    }

    /// One line without control characters, which a terminal would obey.
    private static func shown(_ text: String) -> String {
        let safe = String(
            text.map {
                $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0
            }
        )
        return safe.count <= maximumWidth ? safe : safe.prefix(maximumWidth - 1) + "…"
    }
}

/// Text in aligned columns: the first to the left, the others to the right.
struct Table {
    /// The headings.
    var headings: [String]
    private var rows: [[String]] = []

    /// Creates a table.
    init(_ headings: [String]) {
        self.headings = headings
    }

    /// Whether there is no row.
    var isEmpty: Bool { rows.isEmpty }

    /// Adds a row.
    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    /// The table.
    var text: String {
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0[column].count }.max() ?? 0
        }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([headings, rule] + rows).map { cells in
            zip(cells, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

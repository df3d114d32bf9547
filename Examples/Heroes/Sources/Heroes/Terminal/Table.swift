/// A few rows for a person to read, columns aligned.
struct Table {
    private let header: [String]
    private var rows: [[String]] = []
    private let isRightAligned: [Bool]
    /// A line under the rows.
    var note: String?

    /// Creates an empty table.
    ///
    /// - Parameter columns: The titles; one that begins with `>` is of a column of numbers, which
    ///   are aligned right.
    init(_ columns: String...) {
        self.init(columns: columns)
    }

    /// Creates an empty table.
    init(columns: [String]) {
        header = columns.map { $0.hasPrefix(">") ? String($0.dropFirst()) : $0 }
        isRightAligned = columns.map { $0.hasPrefix(">") }
    }

    /// Adds a row.
    mutating func add(_ cells: String...) {
        add(cells: cells)
    }

    /// Adds a row.
    mutating func add(cells: [String]) {
        rows.append(cells.map { $0.truncated(to: 48) })
    }

    /// The lines of the table.
    var lines: [String] {
        let all = [header] + rows
        let widths = header.indices.map { column in
            all.map { $0[column].displayWidth }.max() ?? 0
        }
        var lines = all.map { row in
            line(
                header.indices.map { column in
                    row[column].padded(to: widths[column], alignedRight: isRightAligned[column])
                }
            )
        }
        lines.insert(line(widths.map { String(repeating: "─", count: $0) }), at: 1)
        if let note { lines.append(note) }
        return lines
    }

    private func line(_ cells: [String]) -> String {
        var line = cells.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}

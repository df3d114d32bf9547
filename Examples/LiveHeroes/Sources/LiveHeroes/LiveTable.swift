import DBClientCore

/// A table that is made of nothing but the positions of changes.
struct LiveTable {
    /// The rows as they are shown.
    private(set) var rows: [Row] = []

    /// A line of the table.
    struct Row {
        var hero: Hero
        /// What happened to the row last: new, changed, or moved.
        var mark = " "
    }

    /// Takes a change over and returns a line that sums it up.
    mutating func apply(_ change: Change<Hero>) -> String {
        switch change {
        case .initial(let heroes):
            rows = heroes.map { Row(hero: $0) }
            return "\(rows.count) heroes to begin with"
        case .update(let changes):
            for index in rows.indices { rows[index].mark = " " }
            changes.replay(
                delete: { rows.remove(at: $0) },
                insert: { rows.insert(Row(hero: $1, mark: "+"), at: $0) },
                update: { rows[$0] = Row(hero: $1, mark: "*") }
            )
            for move in changes.moves { rows[move.to].mark = move.to < move.from ? "^" : "v" }
            return "\(changes.insertions.count - changes.moves.count) in, "
                + "\(changes.deletions.count - changes.moves.count) out, "
                + "\(changes.moves.count) moved, \(changes.modifications.count) changed"
        }
    }

    /// The table as text.
    var text: String {
        rows.enumerated().map { place, row in
            let power = "\(row.hero.power)"
            let name = row.hero.name.padding(to: 24 - power.count)
            return "\(row.mark) \(place + 1). \(name)\(power)"
        }
        .joined(separator: "\n")
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}

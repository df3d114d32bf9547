import DBClientCore

/// Rows in the order of some of their fields, no two of them equal there.
///
/// They lie in pieces, so that changing them while a snapshot holds a copy copies one piece, where a
/// single array would be copied whole by the first change after each snapshot.
struct SortedRows: Sendable {
    private static let pieceLimit = 256

    /// The positions of the fields, most significant first.
    private let columns: [Int]
    /// The rows; no piece is empty.
    private var pieces: [[MemoryRow]] = []
    private(set) var count = 0

    init(by columns: [Int]) {
        self.columns = columns
    }

    /// Sorts rows by some of their fields, in which no two are equal.
    init(_ rows: [MemoryRow], by columns: [Int]) {
        self.columns = columns
        count = rows.count
        let sorted = rows.sorted { left, right in
            order(of: left, KeyOfRow(row: right, columns: columns)) < 0
        }
        for start in stride(from: 0, to: sorted.count, by: Self.pieceLimit) {
            pieces.append(Array(sorted[start..<min(start + Self.pieceLimit, sorted.count)]))
        }
    }

    /// The rows in the order of their primary keys.
    var all: some Sequence<MemoryRow> { pieces.joined() }

    /// Returns the first rows that match, ascending: as many as are asked for, if there are, or some more.
    func matching(_ predicate: RowPredicate, atLeast limit: Int) -> [MemoryRow] {
        var rows: [MemoryRow] = []
        if predicate.isAlwaysTrue { rows.reserveCapacity(min(count, limit)) }
        for piece in pieces where rows.count < limit {
            if predicate.isAlwaysTrue {
                rows += piece
            } else {
                for row in piece where predicate.matches(row) { rows.append(row) }
            }
        }
        return rows
    }

    /// Returns the rows that have one of some values, no two of them equal, in the first field, ascending.
    func rows(with values: [StorageValue]) -> [MemoryRow] {
        var found = values.map { value in value.withSlot { rows(with: $0) } }.filter { !$0.isEmpty }
        let column = columns[0]
        if found.count > 1 {
            found.sort { Slot.compare($0[0].slot(column), $1[0].slot(column)) < 0 }
        }
        return found.count == 1 ? found[0] : found.flatMap(\.self)
    }

    /// Returns the rows that have a value in the first field, ascending.
    private func rows(with slot: Slot) -> [MemoryRow] {
        let column = columns[0]
        func order(_ row: MemoryRow) -> Int { Slot.compare(row.slot(column), slot) }
        // The last piece that begins before the value, in which its rows may begin.
        var piece = max(pieces.firstIndex(ascending: { order($0[0]) >= 0 }) - 1, 0)
        guard piece < pieces.count else { return [] }
        var row = pieces[piece].firstIndex(ascending: { order($0) >= 0 })
        var rows: [MemoryRow] = []
        while true {
            if row == pieces[piece].count {
                piece += 1
                row = 0
                if piece == pieces.count { return rows }
            }
            guard order(pieces[piece][row]) == 0 else { return rows }
            rows.append(pieces[piece][row])
            row += 1
        }
    }

    /// Returns the row with a key, whose fields are at 0 and on, if there is one.
    func row(with key: some SlotSource) -> MemoryRow? {
        let place = place(of: key)
        return place.isFilled ? pieces[place.piece][place.row] : nil
    }

    /// Returns the row that has another's place, if there is one.
    func row(inPlaceOf row: MemoryRow) -> MemoryRow? {
        self.row(with: KeyOfRow(row: row, columns: columns))
    }

    /// Calls a function with the first row of each value of the first field, and the number of rows that have it.
    func forEachValue(_ visit: (MemoryRow, Int) throws -> Void) rethrows {
        let column = columns[0]
        var (piece, row) = (0, 0)
        while piece < pieces.count {
            let first = pieces[piece][row]
            func isBehind(_ other: MemoryRow) -> Bool {
                Slot.compare(other.slot(column), first.slot(column)) > 0
            }
            // Steps that double find the end of few rows and of many.
            var last = piece
            var step = 1
            while last + step < pieces.count, !isBehind(pieces[last + step][0]) {
                last += step
                step *= 2
            }
            while step > 1 {
                step /= 2
                if last + step < pieces.count, !isBehind(pieces[last + step][0]) { last += step }
            }
            let end = pieces[last].firstIndex(ascending: isBehind)
            var found = end - (last == piece ? row : 0)
            if last > piece {
                found += pieces[piece].count - row
                for passed in piece + 1..<last { found += pieces[passed].count }
            }
            try visit(first, found)
            (piece, row) = end == pieces[last].count ? (last + 1, 0) : (last, end)
        }
    }

    /// Adds a row, in the place of the one with its key if there is one.
    mutating func put(_ row: MemoryRow) {
        var place = place(of: KeyOfRow(row: row, columns: columns))
        if place.isFilled {
            pieces[place.piece][place.row] = row
            return
        }
        count += 1
        if pieces.isEmpty { pieces.append([]) }
        if pieces[place.piece].count == Self.pieceLimit {
            let isAfterLast = place.piece == pieces.count - 1 && place.row == Self.pieceLimit
            // Rows that come in ascending order leave full pieces behind.
            let kept = isAfterLast ? Self.pieceLimit : Self.pieceLimit / 2
            pieces.insert(Array(pieces[place.piece][kept...]), at: place.piece + 1)
            pieces[place.piece].removeSubrange(kept...)
            if place.row > kept || isAfterLast {
                place.piece += 1
                place.row -= kept
            }
        }
        pieces[place.piece].insert(row, at: place.row)
    }

    /// Removes a row that is here.
    mutating func remove(_ row: MemoryRow) {
        let place = place(of: KeyOfRow(row: row, columns: columns))
        count -= 1
        pieces[place.piece].remove(at: place.row)
        if pieces[place.piece].isEmpty { pieces.remove(at: place.piece) }
    }

    /// Where a row is, or would be put.
    private struct Place {
        var piece: Int
        var row: Int
        var isFilled: Bool
    }

    private func place(of key: some SlotSource) -> Place {
        // The last piece that begins at or before the key.
        let next = pieces.firstIndex(ascending: { order(of: $0[0], key) > 0 })
        let piece = max(next - 1, 0)
        guard next > 0 else { return Place(piece: piece, row: 0, isFilled: false) }
        let row = pieces[piece].firstIndex(ascending: { order(of: $0, key) >= 0 })
        let isFilled = row < pieces[piece].count && order(of: pieces[piece][row], key) == 0
        return Place(piece: piece, row: row, isFilled: isFilled)
    }

    private func order(of row: MemoryRow, _ key: some SlotSource) -> Int {
        for (index, column) in columns.enumerated() {
            let order = Slot.compare(row.slot(column), key.slot(index))
            if order != 0 { return order }
        }
        return 0
    }
}

/// Some fields of a row as a key.
private struct KeyOfRow: SlotSource {
    let row: MemoryRow
    let columns: [Int]

    func slot(_ index: Int) -> Slot { row.slot(columns[index]) }
}

extension Array {
    /// Returns the position of the first element that fulfils a condition which every later one
    /// fulfils too; the count when there is none.
    fileprivate func firstIndex(ascending isReached: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

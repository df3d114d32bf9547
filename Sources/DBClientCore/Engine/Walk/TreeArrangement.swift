/// What leads from one row of a walk to another, put together from all of them in breadth-first order.
struct TreeArrangement {
    /// The least number of steps that lead to each row, zero where the walk starts.
    let depths: [Int32]
    /// The row before each on its way; -1 for those that the walk starts from.
    ///
    /// Of several, it is the first.
    let parents: [Int32]
    /// The rows that each leads to: those of a row are `targets[starts[row]..<starts[row + 1]]`, ascending.
    private let starts: [Int32]
    private let targets: [Int32]

    /// Looks at the rows of a walk, what it starts from included, in breadth-first order.
    init(_ rows: RowBuffer, of walk: RowWalk, _ reader: any EngineReader) throws {
        let batch = rows.batch
        let depth = walk.entity.fields.count
        depths = (0..<rows.count).map { Int32(truncatingIfNeeded: batch[$0, depth].integer) }
        let edges = try Edges(rows, walk, reader).sorted()
        var starts = [Int32](repeating: 0, count: rows.count + 1)
        for edge in edges { starts[Int(edge.from) + 1] += 1 }
        for row in 0..<rows.count { starts[row + 1] += starts[row] }
        self.starts = starts
        targets = edges.map(\.to)
        var parents = [Int32](repeating: -1, count: rows.count)
        for edge in edges where parents[Int(edge.to)] < 0 {
            if depths[Int(edge.to)] == depths[Int(edge.from)] + 1 {
                parents[Int(edge.to)] = edge.from
            }
        }
        self.parents = parents
        withExtendedLifetime(rows) {}
    }

    /// Returns the rows, each before those that come after it on their way, and these before the next row.
    func depthFirst() -> [Int] {
        var children = [Int32](repeating: -1, count: parents.count)
        var siblings = children
        var order: [Int] = []
        order.reserveCapacity(parents.count)
        var stack: [Int32] = []
        // The last is put in first, so that the lists have the order of the rows.
        for row in parents.indices.reversed() where parents[row] >= 0 {
            siblings[row] = children[Int(parents[row])]
            children[Int(parents[row])] = Int32(row)
        }
        for row in parents.indices where parents[row] < 0 {
            stack.append(Int32(row))
            while let next = stack.popLast() {
                order.append(Int(next))
                if siblings[Int(next)] >= 0 { stack.append(siblings[Int(next)]) }
                if children[Int(next)] >= 0 { stack.append(children[Int(next)]) }
            }
        }
        return order
    }

    /// Returns the first row, as a search goes deep first, that leads to one on the way to it; nil where there is none.
    func nodeThatClosesCircle() -> Int? {
        var isOpen = [Bool](repeating: false, count: parents.count)
        var next = Array(starts.dropLast())
        var way: [Int] = []
        for start in parents.indices where next[start] == starts[start] && !isOpen[start] {
            way.append(start)
            isOpen[start] = true
            while let row = way.last {
                guard next[row] < starts[row + 1] else {
                    isOpen[row] = false
                    way.removeLast()
                    continue
                }
                let target = Int(targets[Int(next[row])])
                next[row] += 1
                if isOpen[target] { return row }
                if next[target] == starts[target] {
                    isOpen[target] = true
                    way.append(target)
                }
            }
        }
        return nil
    }
}

/// The pairs of rows of a walk of which one leads to the other.
private struct Edges {
    private let rows: RowBuffer
    private let walk: RowWalk
    private let keys: GroupTable
    private let probe: RowBuffer
    private var found: [(from: Int32, to: Int32)] = []

    init(_ rows: RowBuffer, _ walk: RowWalk, _ reader: any EngineReader) throws {
        self.rows = rows
        self.walk = walk
        let key = walk.entity.primaryKey
        keys = GroupTable(walk.entity, Array(key.indices))
        probe = RowBuffer(walk.entity, columns: key)
        let batch = rows.batch
        for row in 0..<rows.count {
            probe.replaceRow { batch[row, key[$0]] }
            _ = keys.find(probe.batch.slots)
        }
        if walk.steps.count > 1 {
            try addLinks(reader)
        } else {
            let parent = walk.isByKey ? walk.matching : walk.steps[0].columns
            for row in 0..<rows.count {
                guard let other = position({ batch[row, parent[$0]] }) else { continue }
                add(walk.isByKey ? (row, other) : (other, row))
            }
        }
    }

    /// Returns the pairs, by the first rows and then by the second, each once.
    func sorted() -> [(from: Int32, to: Int32)] {
        var sorted = found.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
        var kept = 0
        for edge in sorted where kept == 0 || sorted[kept - 1] != edge {
            sorted[kept] = edge
            kept += 1
        }
        sorted.removeLast(sorted.count - kept)
        return sorted
    }

    private mutating func add(_ edge: (from: Int, to: Int)) {
        found.append((Int32(edge.from), Int32(edge.to)))
    }

    /// Returns the row with a key; nil where there is none.
    private func position(_ key: (Int) -> Slot) -> Int? {
        probe.replaceRow(key)
        return keys.position(of: probe.batch.slots)
    }

    /// Reads the links of the rows, some thousands at a time.
    private mutating func addLinks(_ reader: any EngineReader) throws {
        let (links, far) = (walk.steps[0], walk.steps[1])
        let columns = links.columns + far.matching
        let batch = rows.batch
        var row = 0
        while row < rows.count {
            let end = min(row + 4_096, rows.count)
            let keys = (row..<end).map { row in
                links.matching.map { StorageValue(batch[row, $0]) }
            }
            row = end
            let query = RowQuery(links.entity, where: .keys(links.columns, in: keys))
            try reader.select(columns, of: query) { links in
                let width = walk.steps[0].columns.count
                for link in 0..<links.count {
                    guard let from = position({ links[link, $0] }),
                        let to = position({ links[link, width + $0] })
                    else { continue }
                    add((from, to))
                }
                return true
            }
        }
    }
}

extension RowBuffer {
    /// Puts a row in place of all, which borrows.
    fileprivate func replaceRow(_ row: (Int) -> Slot) {
        removeAll()
        append(row)
    }
}

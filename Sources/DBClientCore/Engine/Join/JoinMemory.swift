/// How much memory the rows of a join take that are kept to be found by those before them.
///
/// Rows that are kept to be sorted may take as much again. What is grouped afterwards is not counted: that is as much as
/// the result.
final class JoinMemory {
    /// How many bytes the rows may take.
    let budget: Int
    private(set) var used = 0
    /// The most that was taken at once.
    private(set) var peak = 0

    /// The most that rows took at once which were kept to be sorted.
    private(set) var sortedPeak = 0

    /// What the rows of a join may take where nothing else is said.
    static let standardBudget = 256 << 20

    /// What a row takes beside its fields to be found by one of them.
    private static let bytesOfRow = 64

    init(budget: Int = standardBudget) {
        self.budget = budget
    }

    var isExceeded: Bool { used > budget }
    /// How many bytes of rows are put together at a time where not all fit.
    var chunk: Int { budget / 4 }

    func take(_ bytes: Int) {
        used += bytes
        peak = max(peak, used)
    }

    func giveBack(_ bytes: Int) { used -= bytes }

    /// Notes how many bytes of rows are kept to be sorted.
    func noteSorted(_ bytes: Int) { sortedPeak = max(sortedPeak, bytes) }

    /// Returns about how much a row takes.
    static func size(of row: UnsafePointer<Slot>, _ width: Int) -> Int {
        var size = bytesOfRow + width * MemoryLayout<Slot>.stride
        for index in 0..<width {
            let kind = row[index].kind
            if kind == .text || kind == .data { size += Int(row[index].length) }
        }
        return size
    }
}

/// The values of a field of rows before, which a row of a part must have one of.
struct JoinValues {
    private let column: Int
    private let table: GroupTable
    private let includesNil: Bool

    /// Notes the values of a field.
    ///
    /// - Parameters:
    ///   - column: The field of the part that must equal one of them.
    ///   - rows: The rows before.
    ///   - place: Where the field is among theirs.
    ///   - includesNil: Whether nil is one of the values, as it is where nothing belongs to rows before.
    init(for column: Int, in rows: RowBuffer, at place: Int, includesNil: Bool) {
        self.column = column
        self.includesNil = includesNil
        let table = GroupTable(rows.entity, [0])
        self.table = table
        rows.withBatch { batch in
            for row in 0..<batch.count {
                _ = table.find(batch.slots + row * batch.columnCount + place)
            }
        }
    }

    /// Whether a row, whose fields are in some order, has one of the values.
    func holds(for row: UnsafePointer<Slot>, _ columns: [Int]) -> Bool {
        guard let place = columns.firstIndex(of: column) else { return true }
        if includesNil, row[place].isNull { return true }
        return table.position(of: row + place) != nil
    }
}

import CLMDB
import DBClientCore

/// The open table of an index of words: what texts of some fields say.
final class SearchStore: Sendable {
    /// The name of the index's table.
    let name: String
    let table: MDB_dbi
    /// The columns that are searched, in the order of the fields of the index.
    let columns: [Int]

    init(name: String, table: MDB_dbi, columns: [Int]) {
        self.name = name
        self.table = table
        self.columns = columns
    }

    /// Returns the texts of a row.
    func texts(of row: some SlotSource) -> [Slot] { columns.map { row.slot($0) } }

    /// Whether two rows differ in a text.
    func differs(_ left: some SlotSource, _ right: some SlotSource) -> Bool {
        columns.contains { Slot.compare(left.slot($0), right.slot($0)) != 0 }
    }
}

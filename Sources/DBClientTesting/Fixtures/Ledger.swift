import DBClientCore
import Foundation

/// Holds values that are JSON text: a list of decimals, a list of dates, a tree.
struct Ledger: Stored, Equatable {
    let id: Int
    var amounts: [Decimal]
    var dates: [Date]
    var tree: Tree

    /// A value that holds its own kind.
    indirect enum Tree: Codable, Equatable, Sendable {
        case leaf
        case node([Tree])

        /// A tree of lists in lists.
        static func nested(_ depth: Int) -> Tree {
            depth == 0 ? .leaf : .node([.nested(depth - 1)])
        }
    }

    init(_ id: Int, amounts: [Decimal] = [], dates: [Date] = [], tree: Tree = .leaf) {
        self.id = id
        self.amounts = amounts
        self.dates = dates
        self.tree = tree
    }

    static let schema = Schema<Ledger>(
        name: "Ledger",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.amounts, "amounts"),
            .field(\.dates, "dates"),
            .field(\.tree, "tree"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        amounts = try row.read()
        dates = try row.read()
        tree = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(amounts)
        try row.write(dates)
        try row.write(tree)
    }
}

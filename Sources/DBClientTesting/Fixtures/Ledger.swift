import DBClientCore
import Foundation

/// Holds values that are JSON text: a list of decimals, a list of dates, a tree.
@Stored struct Ledger: Equatable {
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
}

/// A window function over groups: what a group gets from those of its partition, such as its rank or its share.
///
/// No engine is asked for it: the library computes it from the groups, the same for every engine.
struct RowGroupWindow: Sendable {
    let function: RowWindow.Function
    /// The aggregate that the function is over; nil for one of the groups alone.
    let operand: RowGrouping.Term?
    /// The groups that are equal in these belong together; all groups where there is none.
    let partition: [GroupWindow.SortKey]
    /// The sort of the groups that belong together, those that are alike in it in the order of the request.
    let orderings: [GroupWindow.Ordering]
}

/// What is selected of groups.
enum GroupColumn: Sendable {
    /// An aggregate of each group.
    case term(RowGrouping.Term)
    /// What a group gets from the others.
    case window(RowGroupWindow)

    /// The aggregate, or the one that a window function is over.
    var operand: RowGrouping.Term? {
        switch self {
        case .term(let term): term
        case .window(let window): window.operand
        }
    }
}

extension RowGrouping.Term {
    /// Returns a field that holds the aggregate, which no entity has.
    func field(of entity: EntitySchema) -> FieldSchema {
        let own = operand?.field(of: entity)
        let type: FieldType =
            switch function {
            case nil: .integer(bits: 64, signed: true)
            case .average: .double
            case .sum, .minimum, .maximum: own?.type ?? .double
            }
        let isOptional = function != nil && function != .sum
        return FieldSchema(name: own?.name ?? "computed", type: type, isOptional: isOptional)
    }
}

/// A window function: what a row gets from the rows of its partition, such as its rank, or a sum up to the row.
///
/// No engine is asked for it: the library computes it from the fields, the same for every engine.
struct RowWindow: Hashable, Sendable {
    enum Function: Hashable, Sendable {
        /// The position of the row, from 1 on.
        case rowNumber
        /// One more than the number of rows that precede the row and are not its equals in the sort.
        case rank
        /// One more than the number of different places in the sort before the row.
        case denseRank
        /// The number of rows of the partition; with a sort, those up to this row.
        case count
        case aggregate(AggregateFunction)
        /// The operand divided by the sum of all of them.
        case share
        /// The operand of the row so many before this one, or after it where the number is negative.
        case before(Int)
        /// The operand of the first row, or of the last one.
        case end(isFirst: Bool)
    }

    /// One key of the sort, and how nil and text are placed by it.
    struct Ordering: Hashable, Sendable {
        let key: RowGrouping.Key
        let isDescending: Bool
        let nilsFirst: Bool
        let text: TextOrder

        /// How two values of the key are compared.
        var rowOrdering: RowOrdering {
            RowOrdering(
                column: -1,
                isDescending: isDescending,
                nilsFirst: nilsFirst,
                text: text
            )
        }
    }

    let function: Function
    /// What the function is over: one field, or none.
    let operand: [RowGrouping.Key]
    /// The rows that are equal in these fields belong together; all rows where there is none.
    let partition: [RowGrouping.Key]
    /// The sort of the rows that belong together, those that are alike in it in the order of the query.
    ///
    /// Where there is one, counts, sums and the like are of the rows up to this one; else of all.
    let orderings: [Ordering]

    /// The fields that the function goes by: what it is over, what rows are alike in, and what they are sorted by.
    var keys: [RowGrouping.Key] { operand + partition + orderings.map(\.key) }

    /// Returns a field that holds the value, which no entity has.
    func field(of entity: EntitySchema) -> FieldSchema {
        let operand = operand.first?.field(of: entity)
        return switch function {
        case .rowNumber, .rank, .denseRank, .count:
            FieldSchema(name: "computed", type: .integer(bits: 64, signed: true), isOptional: false)
        case .aggregate(.average), .share:
            FieldSchema(name: "computed", type: .double, isOptional: true)
        case .aggregate(.sum):
            FieldSchema(name: "computed", type: operand?.type ?? .double, isOptional: false)
        case .aggregate, .before, .end:
            FieldSchema(name: "computed", type: operand?.type ?? .double, isOptional: true)
        }
    }

    /// Returns the same over other fields.
    func mapped(_ field: (RowGrouping.Key) throws -> RowGrouping.Key) rethrows -> RowWindow {
        RowWindow(
            function: function,
            operand: try operand.map(field),
            partition: try partition.map(field),
            orderings: try orderings.map {
                Ordering(
                    key: try field($0.key),
                    isDescending: $0.isDescending,
                    nilsFirst: $0.nilsFirst,
                    text: $0.text
                )
            }
        )
    }
}

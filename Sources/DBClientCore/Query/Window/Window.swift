/// Rows of a request that are alike in some fields, in an order: what a selected row gets from them.
///
/// ```swift
/// let ranking = Hero.all.select { hero in
///     let team = Window(of: hero, by: hero.team).sorted(by: hero.power.descending)
///     return (hero.name, team.rank, team.sum(hero.power), Window(of: hero).share(of: hero.power))
/// }
/// ```
///
/// The rows are those that fulfil the request's condition, whatever its limit. Rows that are alike in the window's sort
/// are in the request's order. In a window that is sorted, counts, sums, averages, the smallest and the largest are of the
/// rows up to this one; in one that is not, of all its rows. The library computes windows from the rows, the same on every
/// engine, in memory.
public struct Window<Model: StoredConvertible>: Sendable {
    private let scope: Int
    private var partition: [Ordering<Model>]
    private var orderings: [Ordering<Model>] = []

    /// Creates a window of the rows of the request that are equal to the row in some fields; of all rows where none is
    /// named.
    public init(of fields: Fields<Model>, by terms: any SortTerm<Model>...) {
        self.init(fields.scope, terms)
    }

    /// Creates a window of the joined rows that are equal to the row in some fields; of all rows where none is named.
    public init<Source>(of fields: JoinFields<Model, Source>, by terms: any SortTerm<Model>...) {
        self.init(fields.scope, terms)
    }

    private init(_ scope: Int, _ partition: [any SortTerm<Model>]) {
        self.scope = scope
        self.partition = partition.map { $0.ordering }
    }

    /// Returns the window with its rows in an order, largest or smallest first as each term says.
    public func sorted(by terms: any SortTerm<Model>...) -> Window<Model> {
        var copy = self
        copy.orderings = terms.map { $0.ordering }
        return copy
    }

    func value<Result>(
        _ function: RowWindow.Function,
        _ operand: () throws -> [RowGrouping.Key] = { [] }
    ) -> FieldExpression<Model, Result> {
        FieldExpression(
            scope: scope,
            Swift.Result { () throws(DBClientError) in
                do {
                    return RowWindow(
                        function: function,
                        operand: try operand(),
                        partition: try partition.map { try $0.partitionKey() },
                        orderings: try orderings.map {
                            RowWindow.Ordering(
                                key: try $0.key(),
                                isDescending: $0.row.isDescending,
                                nilsFirst: $0.row.nilsFirst,
                                text: $0.row.text
                            )
                        }
                    )
                } catch {
                    throw DBClientError.wrapping(error)
                }
            }
        )
    }
}

extension Ordering {
    /// Returns what is sorted by as a field that is selected.
    fileprivate func key() throws -> RowGrouping.Key {
        if let failure = failure ?? Model.Storage.schema.entity.failure(of: row) { throw failure }
        guard let expression = row.expression else {
            return RowGrouping.Key(row.column, through: row.path)
        }
        return RowGrouping.Key(expression, through: row.path)
    }

    /// Returns what rows are equal in as a field that is selected.
    fileprivate func partitionKey() throws -> RowGrouping.Key {
        let key = try key()
        if row.text == .binary { return key }
        throw DBClientError(
            .invalidRequest,
            "Rows of a window must be equal in text as it is.",
            entity: Model.Storage.schema.entity.name,
            field: key.field(of: Model.Storage.schema.entity).name,
            hint: "Name what is computed from it, such as `lowercased()`."
        )
    }
}

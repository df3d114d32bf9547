/// How one property of a ``Selection`` is selected and read.
public struct SelectedColumn<Selected: Sendable>: Sendable {
    enum Source: Sendable {
        case fields(JoinSelection<Selected>)
        case group(SelectedGroupPart, @Sendable (Slot) throws(SlotError) -> Selected)
    }

    let source: Source

    init(_ source: Source) {
        self.source = source
    }
}

/// What of a group is selected.
enum SelectedGroupPart: Sendable {
    /// One of the keys, by its position, and the type that it is read as.
    case key(Int, any ColumnValue.Type)
    case term(Result<GroupColumn, DBClientError>)
    /// How many keys the row has, of groups with totals beside them.
    case keyCount
}

/// The columns of a ``Selection`` in the order in which they are read, and how a value is made of them.
public struct SelectedRow<Row: Sendable>: Sendable {
    /// What is selected, whatever is read from it.
    enum Part: Sendable {
        case fields(Result<[RowGrouping.Key], DBClientError>, of: any StoredConvertible.Type)
        case group(SelectedGroupPart)
    }

    private(set) var parts: [Part] = []
    let make: @Sendable (inout SelectionReader) throws -> Row

    /// Creates a row of columns.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - make: Reads each column, in their order, and makes the value.
    public init<each Column: Sendable>(
        _ columns: repeat SelectedColumn<each Column>,
        make: @escaping @Sendable (inout SelectionReader) throws -> Row
    ) {
        self.make = make
        for column in repeat each columns {
            switch column.source {
            case .fields(let selection):
                parts.append(.fields(selection.fields, of: selection.model))
            case .group(let part, _): parts.append(.group(part))
            }
        }
    }
}

/// Reads the columns of one row in their order.
public struct SelectionReader {
    var row: ColumnDecoder
    private let source: Source
    /// How many columns of the row were read.
    var index = 0

    enum Source {
        case fields(ColumnPlan)
        /// The positions of the columns among the keys and aggregates of a group.
        case group(GroupPlan, [Int])
    }

    init(_ row: ColumnDecoder, _ source: Source) {
        self.row = row
        self.source = source
    }

    /// Reads the next column.
    ///
    /// - Throws: `.decoding` when what is stored does not fit the type.
    public mutating func next<Selected>(_ column: SelectedColumn<Selected>) throws -> Selected {
        switch (column.source, source) {
        case (.fields(let selection), .fields(let plan)): return try selection.read(&row, plan)
        case (.group(_, let decode), .group(let plan, let positions)):
            let position = positions[index]
            let slot = row.first[position]
            index += 1
            do throws(SlotError) {
                return try decode(slot)
            } catch {
                throw plan.failure(error, slot, at: position)
            }
        default:
            throw DBClientError(.decoding, "The column must be one that was selected.")
        }
    }
}

extension JoinTerm {
    /// How the term is selected and read.
    public var selectedColumn: SelectedColumn<Selected> { SelectedColumn(.fields(joinSelection)) }
}

extension GroupTerm: SelectionTerm {
    /// The column of the aggregate, computed over each group.
    public var selectedColumn: SelectedColumn<Value> {
        SelectedColumn(.group(.term(column), decode))
    }
}

/// A key of groups, as a ``Selection`` has it.
public struct SelectedKey<Value: ColumnValue>: SelectionTerm {
    let position: Int

    /// The column of the key, which is the same for all rows of a group.
    public var selectedColumn: SelectedColumn<Value> {
        SelectedColumn(
            .group(.key(position, Value.self)) { (slot: Slot) throws(SlotError) in
                try Value(slot: slot)
            }
        )
    }
}

/// The keys of groups, as a ``Selection`` has them: `keys[0]`.
public struct SelectedKeys: Sendable {
    /// The key at a position, counted from zero.
    ///
    /// Its type is that of the property; where the key has another, the call that uses the request throws.
    public subscript<Value: ColumnValue>(position: Int) -> SelectedKey<Value> {
        SelectedKey(position: position)
    }
}

extension DynamicGroupRequest {
    /// Groups that are alike in some keys, in an order, by stored names: what a group gets from the others.
    ///
    /// ```swift
    /// let total = DynamicGroupRequest.Function.sum("Line.quantity")
    /// let ranked = lines.grouped(by: "Product.category", "Line.month").select(
    ///     total,
    ///     .window(.share(of: total)),
    ///     .window(.rank, over: .init(by: "Line.month", sorted: .function(total, descending: true)))
    /// )
    /// ```
    ///
    /// It means what ``GroupFields/Window`` does.
    public struct Window: Hashable, Sendable {
        /// The stored names of the keys in which the groups are alike; all groups belong together where there is none.
        public let keys: [String]
        /// The sort of the groups that belong together; alike ones are in the request's order.
        public let sorts: [Sort]

        /// Creates a window, by default of all groups.
        public init(by keys: String..., sorted sorts: Sort...) {
            self.keys = keys
            self.sorts = sorts
        }
    }

    /// What a group gets from the groups of a window.
    ///
    /// A count, a sum, an average, a smallest and a largest value are of the groups up to this one where the window is
    /// sorted, else of all its groups.
    public indirect enum WindowFunction: Hashable, Sendable {
        /// The position of the group, from 1 on.
        case rowNumber
        /// One more than the number of groups before it that are not alike in the window's sort: 1, 2, 2, 4.
        case rank
        /// One more than the number of different places before it in the window's sort: 1, 2, 2, 3.
        case denseRank
        /// The number of groups.
        case count
        /// The sum of a function, absent values left out; zero of none.
        case sum(Function)
        /// The average of a function, a real number; null of none.
        case average(Function)
        /// The smallest value of a function; null of none.
        case min(Function)
        /// The largest value of a function; null of none.
        case max(Function)
        /// The function divided by its sum over all groups of the window, sorted or not; null where that is zero.
        case share(of: Function)
        /// The function of the group so many before this one; null where there is none.
        case lag(Function, by: Int = 1)
        /// The function of the group so many after this one; null where there is none.
        case lead(Function, by: Int = 1)
        /// The function of the window's first group.
        case first(Function)
        /// The function of the window's last group, sorted or not.
        case last(Function)
    }

    /// Returns what is selected as the library's executor of windows sees it; nil where no window is.
    func columns(of entity: EntitySchema) throws -> [GroupColumn]? {
        guard functions.contains(where: \.isWindow) else { return nil }
        return try functions.map { function in
            guard case .window(let call, let window) = function else {
                return .term(try function.term(of: entity))
            }
            return .window(
                RowGroupWindow(
                    function: call.rowFunction,
                    operand: try call.operand.map { try call.term(over: $0, of: entity) },
                    partition: try window.keys.map { .key(try place(of: $0, in: entity)) },
                    orderings: try window.sorts.map { try ordering($0, of: entity) }
                )
            )
        }
    }

    /// Returns the position of a key by its stored name.
    func place(of name: String, in entity: EntitySchema) throws -> Int {
        if let place = keys.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return place }
        throw DBClientError(
            .invalidRequest,
            "Groups must be sorted by functions and by fields that they are formed by, and parted into windows by such fields.",
            entity: entity.name,
            field: name
        )
    }
}

extension DynamicGroupRequest.Function {
    var isWindow: Bool {
        if case .window = self { true } else { false }
    }

    /// The error of a window function where an aggregate is meant.
    static func windowMisplaced(_ entity: EntitySchema) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "What is computed over a window must be selected, and used for nothing else.",
            entity: entity.name,
            hint: "Fetch the groups with it, and filter or sort them in Swift."
        )
    }
}

extension DynamicGroupRequest.WindowFunction {
    /// What the function is over; nil for one of the groups alone.
    fileprivate var operand: DynamicGroupRequest.Function? {
        switch self {
        case .rowNumber, .rank, .denseRank, .count: nil
        case .sum(let function), .average(let function), .min(let function), .max(let function),
            .share(of: let function), .lag(let function, _), .lead(let function, _),
            .first(let function), .last(let function):
            function
        }
    }

    fileprivate var rowFunction: RowWindow.Function {
        switch self {
        case .rowNumber: .rowNumber
        case .rank: .rank
        case .denseRank: .denseRank
        case .count: .count
        case .sum: .aggregate(.sum)
        case .average: .aggregate(.average)
        case .min: .aggregate(.minimum)
        case .max: .aggregate(.maximum)
        case .share: .share
        case .lag(_, let distance): .before(distance)
        case .lead(_, let distance):
            // The least integer has no opposite.
            .before(distance == .min ? .max : -distance)
        case .first: .end(isFirst: true)
        case .last: .end(isFirst: false)
        }
    }

    /// Returns the aggregate that the function is over, which must be a number where numbers are added up.
    fileprivate func term(
        over operand: DynamicGroupRequest.Function,
        of entity: EntitySchema
    ) throws -> RowGrouping.Term {
        let term = try operand.term(of: entity)
        switch self {
        case .sum, .average, .share: try entity.check(.sum, on: term.field(of: entity))
        case .min: try entity.check(.minimum, on: term.field(of: entity))
        case .max: try entity.check(.maximum, on: term.field(of: entity))
        default: break
        }
        return term
    }

    /// Returns what the function came to.
    func value(_ slot: Slot, of entity: EntitySchema) throws -> DynamicValue {
        if slot.isNull { return .null }
        switch self {
        case .rowNumber, .rank, .denseRank, .count: return .integer(slot.integer)
        case .average, .share: return .real(slot.real)
        case .sum, .min, .max, .lag, .lead, .first, .last:
            // A sum may be beyond the type of what is added up.
            if case .sum = self, slot.kind == .integer { return .integer(slot.integer) }
            guard let operand else { return .null }
            return try operand.value(slot, of: entity)
        }
    }
}

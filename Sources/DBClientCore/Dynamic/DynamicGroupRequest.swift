/// The rows of a request put together by the values of some fields, by stored names.
///
/// ```swift
/// let perCategory = lines.grouped(by: "Product.category")
///     .select(.count, .sum("Line.quantity"))
///     .having(.count, .greater, 10)
///     .sorted(by: .function(.sum("Line.quantity"), descending: true))
///     .limit(5)
/// for group in try await client.fetch(perCategory) { print(group.keys, group.values) }
/// ```
///
/// The groups mean what those of ``GroupRequest`` do, and come ascending by their keys, nil first, unless they are sorted. The call
/// that uses a request checks it against the schema.
public struct DynamicGroupRequest: Hashable, Sendable {
    /// A function of the rows of a group.
    public indirect enum Function: Hashable, Sendable {
        /// The number of rows.
        case count
        /// The number of different values of a field, absent ones left out.
        case countDistinct(String)
        /// The sum of a field; zero of none.
        case sum(String)
        /// The average of a field, a real number; null of none.
        case average(String)
        /// The smallest value of a field; null of none.
        case min(String)
        /// The largest value of a field; null of none.
        case max(String)
        /// What a group gets from the groups of a window, by default of all: selected, and used for nothing else.
        case window(WindowFunction, over: Window = Window())
    }

    /// What groups are sorted by, absent values first, or last where it is descending.
    public enum Sort: Hashable, Sendable {
        /// A function, which need not be selected.
        case function(Function, descending: Bool = false)
        /// One of the fields that groups are formed by.
        case key(String, descending: Bool = false)
    }

    struct Having: Hashable, Sendable {
        let function: Function
        let comparison: Comparison
        let value: DynamicValue
    }

    /// The rows that are grouped.
    public let request: DynamicRequest
    /// The stored names of the fields that are equal in all rows of a group.
    public let keys: [String]
    /// The functions that are computed of each group.
    public private(set) var functions: [Function] = []
    /// The sort of the groups, before that by their keys.
    public private(set) var sorts: [Sort] = []
    /// The greatest number of groups; nil for all.
    public private(set) var limit: Int?
    /// The number of groups to skip first.
    public private(set) var offset = 0
    private(set) var conditions: [Having] = []

    /// Creates a request for the groups of rows that are equal in some fields.
    ///
    /// - Parameters:
    ///   - request: The rows, of which its limit and its offset choose those that are grouped.
    ///   - keys: The stored names of the fields, at least one.
    public init(_ request: DynamicRequest, by keys: [String]) {
        self.request = request
        self.keys = keys
    }

    /// Returns the request with functions in place of the present ones.
    public func select(_ functions: Function...) -> Self {
        var copy = self
        copy.functions = functions
        return copy
    }

    /// Returns a request for the groups of which a function also compares with a value; nil asks whether it has none.
    public func having(
        _ function: Function,
        _ comparison: Comparison,
        _ value: DynamicValue
    ) -> Self {
        var copy = self
        copy.conditions.append(
            Having(function: function, comparison: comparison, value: value)
        )
        return copy
    }

    /// Returns the request with a sort in place of the present one.
    public func sorted(by sorts: Sort...) -> Self {
        var copy = self
        copy.sorts = sorts
        return copy
    }

    /// Returns the request with at most this many groups; nil for all.
    public func limit(_ limit: Int?) -> Self {
        var copy = self
        copy.limit = limit
        return copy
    }

    /// Returns the request without its first groups.
    public func offset(_ offset: Int) -> Self {
        var copy = self
        copy.offset = offset
        return copy
    }
}

extension DynamicRequest {
    /// Returns a request for the groups of rows that are equal in some fields.
    ///
    /// The limit and the offset of this request choose the rows that are grouped.
    public func grouped(by keys: String...) -> DynamicGroupRequest {
        DynamicGroupRequest(self, by: keys)
    }
}

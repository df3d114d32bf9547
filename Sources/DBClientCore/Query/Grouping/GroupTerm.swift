/// An aggregate over a group of values: their number, or a function over a field.
///
/// Absent values are left out of every function. A field may be of what is embedded and of what a to-one relationship
/// holds, `.sum(\.team?.size)`. Among several terms the compiler needs the model's name for a path whose last property
/// is not optional itself: `.select(.count, .max(\Hero.team?.name))`.
public struct GroupTerm<Model: Stored, Value: Sendable>: Sendable {
    /// The term as engines see it, or what is wrong with it.
    let row: Result<RowGrouping.Term, DBClientError>
    let decode: @Sendable (Slot) throws(SlotError) -> Value
    /// What a group gets from the others, which is selected and used for nothing else; nil for an aggregate of the group
    /// alone.
    private let window: Result<RowGroupWindow, DBClientError>?

    init(
        _ row: Result<RowGrouping.Term, DBClientError>,
        _ decode: @escaping @Sendable (Slot) throws(SlotError) -> Value
    ) {
        self.row = row
        self.decode = decode
        window = nil
    }

    /// Creates what a group gets from the others.
    init(
        window: Result<RowGroupWindow, DBClientError>,
        _ decode: @escaping @Sendable (Slot) throws(SlotError) -> Value
    ) {
        self.window = window
        self.decode = decode
        row = .failure(
            DBClientError(
                .invalidRequest,
                "What is computed over a window of groups must be selected, and used for nothing else.",
                entity: Model.schema.entity.name,
                hint: "Fetch the groups with it, and filter or sort them in Swift."
            )
        )
    }

    /// The term as it is selected, or what is wrong with it.
    var column: Result<GroupColumn, DBClientError> {
        window?.map { .window($0) } ?? row.map { .term($0) }
    }

    private init(
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Model>,
        _ decode: @escaping @Sendable (Slot) throws(SlotError) -> Value
    ) {
        self.init(building: decode) {
            let place = try Model.place(of: field)
            try place.owner(Model.schema.entity).check(function, on: place.column)
            return place.path.isEmpty
                ? .function(function, column: place.column) : .heldFunction(function, place)
        }
    }

    init(
        building decode: @escaping @Sendable (Slot) throws(SlotError) -> Value,
        _ build: () throws -> RowGrouping.Term
    ) {
        self.init(
            Result { () throws(DBClientError) in
                do { return try build() } catch { throw DBClientError.wrapping(error) }
            },
            decode
        )
    }
}

extension GroupTerm where Value == Double? {
    /// The average of a field; nil of none.
    public static func average(_ field: PartialKeyPath<Model>) -> Self {
        Self(.average, field) { (slot: Slot) throws(SlotError) in try Double?(slot: slot) }
    }
}

extension GroupTerm where Value: StorableValue & Numeric {
    /// The sum of a field; zero of none.
    public static func sum(_ field: KeyPath<Model, Value>) -> Self {
        Self(.sum, field) { (slot: Slot) throws(SlotError) in
            try Value(sum: slot)
        }
    }

    /// The sum of a field, absent values left out; zero of none.
    public static func sum(_ field: KeyPath<Model, Value?>) -> Self {
        Self(.sum, field) { (slot: Slot) throws(SlotError) in
            try Value(sum: slot)
        }
    }
}

extension GroupTerm {
    /// The smallest value of a field.
    public static func min<Element: ColumnValue & Comparable>(
        _ field: KeyPath<Model, Element>
    ) -> Self where Value == Element? {
        Self(.minimum, field) { (slot: Slot) throws(SlotError) in try Element?(slot: slot) }
    }

    /// The smallest value of a field; nil when all are absent.
    public static func min<Element: ColumnValue & Comparable>(
        _ field: KeyPath<Model, Element?>
    ) -> Self where Value == Element? {
        Self(.minimum, field) { (slot: Slot) throws(SlotError) in try Element?(slot: slot) }
    }

    /// The largest value of a field.
    public static func max<Element: ColumnValue & Comparable>(
        _ field: KeyPath<Model, Element>
    ) -> Self where Value == Element? {
        Self(.maximum, field) { (slot: Slot) throws(SlotError) in try Element?(slot: slot) }
    }

    /// The largest value of a field; nil when all are absent.
    public static func max<Element: ColumnValue & Comparable>(
        _ field: KeyPath<Model, Element?>
    ) -> Self where Value == Element? {
        Self(.maximum, field) { (slot: Slot) throws(SlotError) in try Element?(slot: slot) }
    }
}

/// The aggregates of a group, for building conditions on it: `$0.count`, `$0.sum(\.power)`.
public struct GroupFields<Model: Stored>: Sendable {
    /// The sum of a field; zero of none.
    public func sum<Value: StorableValue & Numeric>(
        _ field: KeyPath<Model, Value>
    ) -> GroupTerm<Model, Value> { .sum(field) }

    /// The sum of a field, absent values left out; zero of none.
    public func sum<Value: StorableValue & Numeric>(
        _ field: KeyPath<Model, Value?>
    ) -> GroupTerm<Model, Value> { .sum(field) }

    /// The average of a field, absent values left out; nil of none.
    public func average(_ field: PartialKeyPath<Model>) -> GroupTerm<Model, Double?> {
        .average(field)
    }

    /// The smallest value of a field.
    public func min<Value: ColumnValue & Comparable>(
        _ field: KeyPath<Model, Value>
    ) -> GroupTerm<Model, Value?> { .min(field) }

    /// The smallest value of a field; nil when all are absent.
    public func min<Value: ColumnValue & Comparable>(
        _ field: KeyPath<Model, Value?>
    ) -> GroupTerm<Model, Value?> { .min(field) }

    /// The largest value of a field.
    public func max<Value: ColumnValue & Comparable>(
        _ field: KeyPath<Model, Value>
    ) -> GroupTerm<Model, Value?> { .max(field) }

    /// The largest value of a field; nil when all are absent.
    public func max<Value: ColumnValue & Comparable>(
        _ field: KeyPath<Model, Value?>
    ) -> GroupTerm<Model, Value?> { .max(field) }
}

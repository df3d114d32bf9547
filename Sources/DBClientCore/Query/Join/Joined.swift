// The rows of joins, by how many models they are of.

/// The rows of a join of two models, in conditions and other places that name a model.
///
/// It has no values: what a ``JoinRequest`` gives are tuples.
public enum Joined2<First: Sendable, Second: Sendable>: JoinedRows {
    /// The fields of each model, in the order of the join.
    public typealias Fields = (
        JoinFields<Self, First>, JoinFields<Self, Second>
    )
    /// A value of each model, in the order of the join.
    public typealias Values = (First, Second)

    /// The models, of which one that a left join has added is an optional.
    public static var sources: [any Sendable.Type] { [First.self, Second.self] }

    /// Returns the fields of each model, taken from `parts` in the order of the join.
    public static func fields(_ parts: inout JoinedFields<Self>) -> Fields {
        (parts.next(), parts.next())
    }

    /// Reads a value of each model from the row, in the order of the join.
    public static func values(_ row: inout JoinedValues) throws -> Values {
        (try row.next(), try row.next())
    }

    /// Returns the models' values one by one.
    public static func elements(of values: Values) -> [any Sendable] {
        [values.0, values.1]
    }
}

/// The rows of a join of three models, in conditions and other places that name a model.
///
/// It has no values: what a ``JoinRequest`` gives are tuples.
public enum Joined3<First: Sendable, Second: Sendable, Third: Sendable>: JoinedRows {
    /// The fields of each model, in the order of the join.
    public typealias Fields = (
        JoinFields<Self, First>, JoinFields<Self, Second>, JoinFields<Self, Third>
    )
    /// A value of each model, in the order of the join.
    public typealias Values = (First, Second, Third)

    /// The models, of which one that a left join has added is an optional.
    public static var sources: [any Sendable.Type] { [First.self, Second.self, Third.self] }

    /// Returns the fields of each model, taken from `parts` in the order of the join.
    public static func fields(_ parts: inout JoinedFields<Self>) -> Fields {
        (parts.next(), parts.next(), parts.next())
    }

    /// Reads a value of each model from the row, in the order of the join.
    public static func values(_ row: inout JoinedValues) throws -> Values {
        (try row.next(), try row.next(), try row.next())
    }

    /// Returns the models' values one by one.
    public static func elements(of values: Values) -> [any Sendable] {
        [values.0, values.1, values.2]
    }
}

/// The rows of a join of four models, in conditions and other places that name a model.
///
/// It has no values: what a ``JoinRequest`` gives are tuples.
public enum Joined4<First: Sendable, Second: Sendable, Third: Sendable, Fourth: Sendable>:
    JoinedRows
{
    /// The fields of each model, in the order of the join.
    public typealias Fields = (
        JoinFields<Self, First>, JoinFields<Self, Second>, JoinFields<Self, Third>,
        JoinFields<Self, Fourth>
    )
    /// A value of each model, in the order of the join.
    public typealias Values = (First, Second, Third, Fourth)

    /// The models, of which one that a left join has added is an optional.
    public static var sources: [any Sendable.Type] {
        [First.self, Second.self, Third.self, Fourth.self]
    }

    /// Returns the fields of each model, taken from `parts` in the order of the join.
    public static func fields(_ parts: inout JoinedFields<Self>) -> Fields {
        (parts.next(), parts.next(), parts.next(), parts.next())
    }

    /// Reads a value of each model from the row, in the order of the join.
    public static func values(_ row: inout JoinedValues) throws -> Values {
        (try row.next(), try row.next(), try row.next(), try row.next())
    }

    /// Returns the models' values one by one.
    public static func elements(of values: Values) -> [any Sendable] {
        [values.0, values.1, values.2, values.3]
    }
}

/// The rows of a join of five models, in conditions and other places that name a model.
///
/// It has no values: what a ``JoinRequest`` gives are tuples.
public enum Joined5<
    First: Sendable,
    Second: Sendable,
    Third: Sendable,
    Fourth: Sendable,
    Fifth: Sendable
>: JoinedRows {
    /// The fields of each model, in the order of the join.
    public typealias Fields = (
        JoinFields<Self, First>, JoinFields<Self, Second>, JoinFields<Self, Third>,
        JoinFields<Self, Fourth>, JoinFields<Self, Fifth>
    )
    /// A value of each model, in the order of the join.
    public typealias Values = (First, Second, Third, Fourth, Fifth)

    /// The models, of which one that a left join has added is an optional.
    public static var sources: [any Sendable.Type] {
        [First.self, Second.self, Third.self, Fourth.self, Fifth.self]
    }

    /// Returns the fields of each model, taken from `parts` in the order of the join.
    public static func fields(_ parts: inout JoinedFields<Self>) -> Fields {
        (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
    }

    /// Reads a value of each model from the row, in the order of the join.
    public static func values(_ row: inout JoinedValues) throws -> Values {
        (try row.next(), try row.next(), try row.next(), try row.next(), try row.next())
    }

    /// Returns the models' values one by one.
    public static func elements(of values: Values) -> [any Sendable] {
        [values.0, values.1, values.2, values.3, values.4]
    }
}

/// The rows of a join of six models, in conditions and other places that name a model.
///
/// It has no values: what a ``JoinRequest`` gives are tuples.
public enum Joined6<
    First: Sendable,
    Second: Sendable,
    Third: Sendable,
    Fourth: Sendable,
    Fifth: Sendable,
    Sixth: Sendable
>: JoinedRows {
    /// The fields of each model, in the order of the join.
    public typealias Fields = (
        JoinFields<Self, First>, JoinFields<Self, Second>, JoinFields<Self, Third>,
        JoinFields<Self, Fourth>, JoinFields<Self, Fifth>, JoinFields<Self, Sixth>
    )
    /// A value of each model, in the order of the join.
    public typealias Values = (First, Second, Third, Fourth, Fifth, Sixth)

    /// The models, of which one that a left join has added is an optional.
    public static var sources: [any Sendable.Type] {
        [First.self, Second.self, Third.self, Fourth.self, Fifth.self, Sixth.self]
    }

    /// Returns the fields of each model, taken from `parts` in the order of the join.
    public static func fields(_ parts: inout JoinedFields<Self>) -> Fields {
        (parts.next(), parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
    }

    /// Reads a value of each model from the row, in the order of the join.
    public static func values(_ row: inout JoinedValues) throws -> Values {
        (
            try row.next(), try row.next(), try row.next(), try row.next(), try row.next(),
            try row.next()
        )
    }

    /// Returns the models' values one by one.
    public static func elements(of values: Values) -> [any Sendable] {
        [values.0, values.1, values.2, values.3, values.4, values.5]
    }
}

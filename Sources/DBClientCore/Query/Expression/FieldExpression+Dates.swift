public import Foundation

/// A date or an optional one.
public protocol DateValue: ExpressionValue where Present == Date {
    /// The type of a number that is a part of the date.
    associatedtype Part: ExpressionValue
}

extension Date: DateValue {
    /// The type of a number that is a part of a date, such as the year.
    public typealias Part = Int
}

extension Optional: DateValue where Wrapped == Date {
    /// An integer that is absent where the date is.
    public typealias Part = Int?
}

// Parts of a date in UTC.
extension ExpressionTerm where Value: DateValue {
    /// The year in UTC, in the Gregorian calendar for all times, where the year before 1 is 0.
    public var year: FieldExpression<Model, Value.Part> { part(.year) }

    /// The month in UTC, from 1.
    public var month: FieldExpression<Model, Value.Part> { part(.month) }

    /// The day of the month in UTC, from 1.
    public var day: FieldExpression<Model, Value.Part> { part(.day) }

    /// The day of the week in UTC: 1 for Monday to 7 for Sunday.
    public var weekday: FieldExpression<Model, Value.Part> { part(.weekday) }

    /// The hour in UTC, from 0.
    public var hour: FieldExpression<Model, Value.Part> { part(.hour) }

    /// The first moment of the day in UTC.
    public var startOfDay: FieldExpression<Model, Value> { calling(.startOfDay) }

    /// The first moment of the week in UTC, which begins on Monday.
    public var startOfWeek: FieldExpression<Model, Value> { calling(.startOfWeek) }

    /// The first moment of the month in UTC.
    public var startOfMonth: FieldExpression<Model, Value> { calling(.startOfMonth) }

    private func part(_ function: RowFunction) -> FieldExpression<Model, Value.Part> {
        fieldExpression.map { .function(function, Int.fieldType, [$0]) }
    }
}

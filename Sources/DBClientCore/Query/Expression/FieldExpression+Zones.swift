public import Foundation

// Parts of a date in a time zone: those in UTC of the time that a clock of the zone shows.
extension ExpressionTerm where Value: DateValue {
    /// Returns the year that a clock of a time zone shows at the date, in the Gregorian calendar for all times.
    ///
    /// The rules of the zone are those of the program that makes the request, on every engine, up to the year 2100; from
    /// then on the zone has one offset, that of the New Year. The first and the last two days that can be kept are in UTC.
    public func year(in zone: TimeZone) -> FieldExpression<Model, Value.Part> {
        local(in: zone).year
    }

    /// Returns the month that a clock of a time zone shows at the date, from 1; of the rules see ``year(in:)``.
    public func month(in zone: TimeZone) -> FieldExpression<Model, Value.Part> {
        local(in: zone).month
    }

    /// Returns the day of the month in a time zone, from 1; of the rules see ``year(in:)``.
    public func day(in zone: TimeZone) -> FieldExpression<Model, Value.Part> {
        local(in: zone).day
    }

    /// Returns the day of the week in a time zone, 1 for Monday to 7 for Sunday; of the rules see ``year(in:)``.
    public func weekday(in zone: TimeZone) -> FieldExpression<Model, Value.Part> {
        local(in: zone).weekday
    }

    /// Returns the hour that a clock of a time zone shows, from 0; of the rules see ``year(in:)``.
    ///
    /// An hour that is there twice, where clocks are put back, is one and the same.
    public func hour(in zone: TimeZone) -> FieldExpression<Model, Value.Part> {
        local(in: zone).hour
    }

    /// Returns the first moment of the date's day in a time zone; of the rules see ``year(in:)``.
    ///
    /// It is not midnight where clocks are put forward at midnight, and the earlier one where midnight is there twice.
    public func startOfDay(in zone: TimeZone) -> FieldExpression<Model, Value> {
        local(in: zone).startOfDay.firstMoment(in: zone)
    }

    /// Returns the first moment of the date's week in a time zone, which begins on Monday; of the rules see ``year(in:)``.
    public func startOfWeek(in zone: TimeZone) -> FieldExpression<Model, Value> {
        local(in: zone).startOfWeek.firstMoment(in: zone)
    }

    /// Returns the first moment of the date's month in a time zone; of the rules see ``year(in:)``.
    public func startOfMonth(in zone: TimeZone) -> FieldExpression<Model, Value> {
        local(in: zone).startOfMonth.firstMoment(in: zone)
    }

    private func local(in zone: TimeZone) -> FieldExpression<Model, Value> {
        fieldExpression.zoned(.localTime, zone)
    }
}

extension FieldExpression where Value: DateValue {
    fileprivate func firstMoment(in zone: TimeZone) -> FieldExpression<Model, Value> {
        zoned(.firstMoment, zone)
    }

    fileprivate func zoned(
        _ function: RowFunction,
        _ zone: TimeZone
    ) -> FieldExpression<Model, Value> {
        map { .function(function, Date.fieldType, [$0, .constant(.data(zone.rules), .data)]) }
    }
}

// Parts of dates in UTC: in the proleptic Gregorian calendar, by arithmetic, the same for every date that is kept.
extension RowFunctionCall {
    private static var microsecondsOfDay: Int64 { 86_400_000_000 }

    /// Computes a function of a date in microseconds since 1970.
    func datePart(_ date: Int64) throws(DBClientError) -> Slot {
        let (days, time) = Self.floorDivided(date, by: Self.microsecondsOfDay)
        switch function {
        case .hour: return .integer(time / 3_600_000_000)
        // 1 January 1970 was a Thursday.
        case .weekday: return .integer(Self.floorDivided(days + 3, by: 7).rest + 1)
        case .startOfDay: return .integer(days * Self.microsecondsOfDay)
        case .startOfWeek:
            let weekday = Self.floorDivided(days + 3, by: 7).rest
            return .integer((days - weekday) * Self.microsecondsOfDay)
        case .startOfMonth:
            let start = (days - Self.calendarDate(ofDay: days).day + 1) * Self.microsecondsOfDay
            guard start >= Self.firstDate else {
                throw failure("A date must be one that can be kept.")
            }
            return .integer(start)
        case .year: return .integer(Self.calendarDate(ofDay: days).year)
        case .month: return .integer(Self.calendarDate(ofDay: days).month)
        default: return .integer(Self.calendarDate(ofDay: days).day)
        }
    }

    /// The first date that is kept, 24 November 4714 BC, which is a Monday.
    private static var firstDate: Int64 { -210_866_803_200_000_000 }

    private static func floorDivided(
        _ value: Int64,
        by divisor: Int64
    ) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    /// Returns the date of a day, counted from 1 January 1970.
    ///
    /// Years are counted from March, so that a leap day is the last of its year: 400 of them have 146,097 days, 100 but
    /// the last hundred have 36,524, four 1,461, and one 365. In a year from March five months have 153 days.
    static func calendarDate(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // From 1 March 0.
        let (cycles, dayOfCycle) = floorDivided(day + 719_468, by: 146_097)
        let centuries = min(dayOfCycle / 36_524, 3)
        let dayOfCentury = dayOfCycle - centuries * 36_524
        let fours = dayOfCentury / 1_461
        let dayOfFour = dayOfCentury - fours * 1_461
        let ones = min(dayOfFour / 365, 3)
        let dayOfYear = dayOfFour - ones * 365
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let year = cycles * 400 + centuries * 100 + fours * 4 + ones
        return monthFromMarch < 10
            ? (year, monthFromMarch + 3, day) : (year + 1, monthFromMarch - 9, day)
    }
}

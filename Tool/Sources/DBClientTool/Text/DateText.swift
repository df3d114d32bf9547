import Foundation

/// Dates as ISO 8601 with microseconds, which is what every engine keeps.
enum DateText {
    private static let second: Int64 = 1_000_000
    private static let day: Int64 = 86_400 * second

    /// Returns a date as text in UTC.
    static func text(_ date: Date) -> String {
        let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
        guard let whole = Int64(exactly: microseconds) else { return "\(date)" }
        var days = whole / day
        var rest = whole % day
        if rest < 0 {
            rest += day
            days -= 1
        }
        let (year, month, dayOfMonth) = civil(days)
        let seconds = rest / second
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let fraction =
            String(repeating: "0", count: 6 - "\(rest % second)".count) + "\(rest % second)"
        let digits = String(abs(year))
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "\(year < 0 ? "-" : "")\(padded)-\(two(month))-\(two(dayOfMonth))"
            + "T\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(fraction)Z"
    }

    /// Returns the date of a text: a day, or a day and a time, in UTC unless an offset is given; nil also for one whose
    /// microseconds have no room in 64 bits.
    static func date(_ text: String) -> Date? {
        let form =
            /(-?)(\d{4,6})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+-]\d\d:?\d\d)?)?/
            .asciiOnlyDigits()
        guard let match = text.wholeMatch(of: form) else { return nil }
        let parts = match.output
        guard let years = Int64(parts.2), let month = Int64(parts.3), let day = Int64(parts.4),
            (1...12).contains(month)
        else { return nil }
        let year = parts.1.isEmpty ? years : -years
        let days = daysSince1970(year, month, day)
        // A day that the month does not have is another one when it is counted back.
        guard civil(days) == (year, month, day) else { return nil }
        func number(_ text: Substring?) -> Int64 { text.flatMap { Int64($0) } ?? 0 }
        let (hour, minute, seconds) = (number(parts.5), number(parts.6), number(parts.7))
        guard hour < 24, minute < 60, seconds < 60 else { return nil }
        let digits = parts.8.map(String.init) ?? ""
        let fraction = Int64(digits + String(repeating: "0", count: 6 - digits.count)) ?? 0
        var offset: Int64 = 0
        if let zone = parts.9, zone != "Z" {
            let sign: Int64 = zone.first == "-" ? -1 : 1
            offset = sign * (number(zone.dropFirst().prefix(2)) * 60 + number(zone.suffix(2)))
        }
        let total = ((days * 24 + hour) * 60 + minute - offset) * 60 + seconds
        // Towards zero, so that the parts of a time are in range where the whole is.
        let (whole, part) = total < 0 ? (total + 1, fraction - second) : (total, fraction)
        let (product, overflows) = whole.multipliedReportingOverflow(by: second)
        let (microseconds, overflowsToo) = product.addingReportingOverflow(part)
        guard !overflows, !overflowsToo else { return nil }
        return Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }

    /// The days from 1970 to one of the Gregorian calendar, by shifting the year to begin in March.
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let ofEra = shifted - era * 400
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        let day = dayOfYear - (153 * fromMarch + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

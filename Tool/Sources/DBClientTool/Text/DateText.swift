import DBClientCore
import Foundation

/// Dates as ISO 8601 with microseconds, which is what every engine keeps.
enum DateText {
    private static let format = ColumnFormat.iso8601(fractionDigits: 6)

    /// Returns a date as text in UTC.
    static func text(_ date: Date) -> String {
        guard let microseconds = date.microsecondsSince1970,
            case .text(let text) = format.stored(.integer(microseconds))
        else { return "\(date)" }
        return text
    }

    /// Returns the date of a text: a day, or a day and a time, in UTC unless a zone is given; nil also for one that no
    /// engine keeps.
    static func date(_ text: String) -> Date? {
        let value = StorageValue.text(text).withSlot { format.value(ofStored: $0) }
        guard case .integer(let microseconds) = value else { return nil }
        return Date(microsecondsSince1970: microseconds)
    }
}

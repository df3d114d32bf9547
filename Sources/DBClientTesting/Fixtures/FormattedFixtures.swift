import DBClientCore
import Foundation

/// With a field of every format of columns.
@Stored struct Formatted: Equatable {
    let id: Int
    @StoredAs(.iso8601) var iso: Date?
    @StoredAs(.iso8601(fractionDigits: 3, hasZone: false)) var local: Date?
    @StoredAs(.dateTime) var dateTime: Date?
    @StoredAs(.day) var day: Date?
    @StoredAs(.secondsSince1970) var seconds: Date?
    @StoredAs(.millisecondsSince1970) var milliseconds: Date?
    @StoredAs(.timeIntervalSince1970) var interval: Date?
    @StoredAs(.timeIntervalSinceReferenceDate) var reference: Date?
    @StoredAs(.julianDay) var julian: Date?
    @StoredAs(.uppercaseText) var upper: UUID?
    @StoredAs(.lowercaseText) var lower: UUID?
    @StoredAs(.text) var digits: Decimal?
    @StoredAs(.real) var real: Decimal?
    @Indexed @StoredAs(.integer(fractionDigits: 2)) var cents: Decimal?
    @StoredAs(.text) var flag: Bool?
    @StoredAs(.text(true: "Y", false: "N")) var answer: Bool?
    @StoredAs(.data) var words: [String]?

    init(_ id: Int) { self.id = id }

    /// A value with one point in time in all its dates.
    init(_ id: Int, at date: Date) {
        self.id = id
        (iso, local, dateTime, day, seconds) = (date, date, date, date, date)
        (milliseconds, interval, reference, julian) = (date, date, date, date)
    }

    /// The dates, in the order of the fields.
    var dates: [Date?] {
        [iso, local, dateTime, day, seconds, milliseconds, interval, reference, julian]
    }

    /// The fields of dates, one for each format that dates can be stored in.
    static var dateFields: [any KeyPath<Formatted, Date?> & Sendable] {
        [
            \.iso, \.local, \.dateTime, \.day, \.seconds, \.milliseconds, \.interval, \.reference,
            \.julian,
        ]
    }
}

/// With keys and unique values of formats.
@Stored struct FormatKeyed: Equatable {
    @StoredAs(.uppercaseText) let id: UUID
    @Unique @StoredAs(.secondsSince1970) var moment: Date?
    @Unique @StoredAs(.integer(fractionDigits: 2)) var price: Decimal?

    init(_ number: UInt8, moment: Date? = nil, price: Decimal? = nil) {
        id = Self.key(number)
        self.moment = moment
        self.price = price
    }

    /// A key with letters in it.
    static func key(_ number: UInt8) -> UUID {
        UUID(uuid: (0xAB, number, 0xCD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xEF))
    }
}

/// Refers to values whose keys have a format, which its columns have too.
@Stored struct FormatHolder: Equatable {
    let id: Int
    @StoredAs(.uppercaseText) var one: FormatKeyed?
    @StoredAs(.uppercaseText) var many: [FormatKeyed]

    init(_ id: Int, _ one: FormatKeyed? = nil, many: [FormatKeyed] = []) {
        self.id = id
        self.one = one
        self.many = many
    }
}

/// Keyed by a point in time in a format that rounds.
@Stored struct DayKeyed: Equatable {
    @PrimaryKey @StoredAs(.day) let day: Date
    var note: String
}

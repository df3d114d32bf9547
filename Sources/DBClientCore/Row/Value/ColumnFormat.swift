/// How a column keeps a field, where that is another form than the engine's own: a date as text, an amount as a number
/// of cents.
///
/// A database's type does not always say what its values mean, so a field says it:
///
/// ```swift
/// @Stored struct Invoice {
///     let id: Int
///     @StoredAs(.dateTime) var issued: Date
///     @StoredAs(.integer(fractionDigits: 2)) var total: Decimal
/// }
/// ```
///
/// What the column cannot keep of a value is rounded before it is written, on every engine alike, so that a model means
/// the same wherever it is stored. How values are ordered and compared does not change: dates as points in time, not as
/// their texts. Engines without columns keep the rounded value in their own form.
public struct ColumnFormat: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A date as text: with a `T` and a zone, or with a blank and without one.
        case instantText(fractionDigits: Int, isISO8601: Bool, hasZone: Bool)
        case day
        /// A whole number of units since 1970, each of so many microseconds.
        case unitsSince1970(Int64)
        /// Seconds with a fraction since a point in time, which is so many seconds after 1970.
        case interval(since: Int64)
        case julianDay
        case uuidText(isUppercase: Bool)
        case plainText
        case words(true: String, false: String)
        case real
        case integer(fractionDigits: Int)
        case data
    }

    package let kind: Kind

    /// A `Date` as ISO 8601 text in UTC, to the second: `2026-11-26T13:10:19Z`.
    ///
    /// Read are also texts with fractions, with another zone, with a blank for the `T`, and days alone.
    public static let iso8601 = iso8601(fractionDigits: 0)

    /// A `Date` as ISO 8601 text in UTC.
    ///
    /// - Parameters:
    ///   - fractionDigits: How many digits of the second's fraction are written, 0 to 6.
    ///   - hasZone: Whether the `Z` is written.
    /// - Returns: The format.
    public static func iso8601(fractionDigits: Int, hasZone: Bool = true) -> ColumnFormat {
        ColumnFormat(
            kind: .instantText(fractionDigits: fractionDigits, isISO8601: true, hasZone: hasZone)
        )
    }

    /// A `Date` as text in UTC, to the millisecond, as GRDB writes it: `2026-11-26 13:10:19.000`.
    public static let dateTime = dateTime(fractionDigits: 3)

    /// A `Date` as text in UTC with a blank between day and time, as SQLite's own functions write it.
    ///
    /// - Parameter fractionDigits: How many digits of the second's fraction are written, 0 to 6.
    /// - Returns: The format.
    public static func dateTime(fractionDigits: Int) -> ColumnFormat {
        ColumnFormat(
            kind: .instantText(fractionDigits: fractionDigits, isISO8601: false, hasZone: false)
        )
    }

    /// A `Date` as the text of its day in UTC: `2026-11-26`.
    public static let day = ColumnFormat(kind: .day)

    /// A `Date` as a whole number of seconds since 1970.
    public static let secondsSince1970 = ColumnFormat(kind: .unitsSince1970(1_000_000))

    /// A `Date` as a whole number of milliseconds since 1970.
    public static let millisecondsSince1970 = ColumnFormat(kind: .unitsSince1970(1_000))

    /// A `Date` as seconds with a fraction since 1970, as `Date.timeIntervalSince1970` has them.
    public static let timeIntervalSince1970 = ColumnFormat(kind: .interval(since: 0))

    /// A `Date` as seconds with a fraction since 2001, as Core Data and `JSONEncoder` write them.
    public static let timeIntervalSinceReferenceDate = ColumnFormat(
        kind: .interval(since: 978_307_200)
    )

    /// A `Date` as a Julian day with a fraction, to the millisecond, as SQLite's `julianday` has it.
    public static let julianDay = ColumnFormat(kind: .julianDay)

    /// A `UUID` as text in upper case, as `UUID.uuidString` is; one in another case is no value of the column.
    public static let uppercaseText = ColumnFormat(kind: .uuidText(isUppercase: true))

    /// A `UUID` as text in lower case; one in another case is no value of the column.
    public static let lowercaseText = ColumnFormat(kind: .uuidText(isUppercase: false))

    /// A `Decimal` as the text of its digits, or a `Bool` as `true` or `false`.
    public static let text = ColumnFormat(kind: .plainText)

    /// A `Bool` as one of two texts.
    ///
    /// - Parameters:
    ///   - yes: The text of true.
    ///   - no: The text of false.
    /// - Returns: The format.
    public static func text(true yes: String, false no: String) -> ColumnFormat {
        ColumnFormat(kind: .words(true: yes, false: no))
    }

    /// A `Decimal` as a floating-point number, which keeps 15 digits at least.
    public static let real = ColumnFormat(kind: .real)

    /// A `Decimal` as a whole number of its smallest unit, such as cents.
    ///
    /// - Parameter fractionDigits: How many digits after the point a unit has, 0 to 18.
    /// - Returns: The format.
    public static func integer(fractionDigits: Int) -> ColumnFormat {
        ColumnFormat(kind: .integer(fractionDigits: fractionDigits))
    }

    /// A list or another `Codable` value as data that is the UTF-8 of its JSON.
    public static let data = ColumnFormat(kind: .data)
}

extension ColumnFormat {
    /// The kind of value that the column holds.
    public var columnKind: Slot.Kind {
        switch kind {
        case .instantText, .day, .uuidText, .plainText, .words: .text
        case .unitsSince1970, .integer: .integer
        case .interval, .julianDay, .real: .real
        case .data: .data
        }
    }

    /// Whether the column of a field of a type may hold a text that is a number.
    public func mayBeNumericText(of type: FieldType) -> Bool {
        switch kind {
        case .plainText: type == .decimal
        case .words(let yes, let no): Double(yes) != nil || Double(no) != nil
        default: false
        }
    }

    /// Whether two values are equal, and ordered alike, as what the column holds of them is.
    ///
    /// A constant is then compared with the bare column, so that an index over it serves.
    public var comparesAsStored: Bool {
        switch kind {
        case .unitsSince1970, .integer, .uuidText: true
        default: false
        }
    }

    /// Returns why a field of a type cannot have the format; nil where it can.
    func failure(of type: FieldType) -> String? {
        let wanted: [FieldType]
        switch kind {
        case .instantText, .day, .unitsSince1970, .interval, .julianDay: wanted = [.date]
        case .uuidText: wanted = [.uuid]
        case .plainText: wanted = [.decimal, .boolean]
        case .words: wanted = [.boolean]
        case .real, .integer: wanted = [.decimal]
        case .data: wanted = [.json]
        }
        guard wanted.contains(type) else {
            let names = wanted.map(\.name).joined(separator: " or ")
            return "The format \(self) is of a field of type \(names); the field is \(type.name)."
        }
        switch kind {
        case .instantText(let digits, _, _) where !(0...6).contains(digits):
            return "The format must have 0 to 6 digits of a second's fraction; got \(digits)."
        case .integer(let digits) where !(0...18).contains(digits):
            return "The format must have 0 to 18 digits after the point; got \(digits)."
        case .words(let yes, let no)
        where yes.isEmpty || no.isEmpty || yes.utf8.elementsEqual(no.utf8)
            || (yes + no).utf8.contains(0):
            return "The texts of true and false must differ, and be neither empty nor contain NUL."
        case .words(let yes, let no) where yes.utf8.count > 40 || no.utf8.count > 40:
            return "The texts of true and false must have at most 40 bytes."
        default: return nil
        }
    }
}

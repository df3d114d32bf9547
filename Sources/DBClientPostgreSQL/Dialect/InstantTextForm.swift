import DBClientCore
import DBClientSQL

/// Points in time that are kept as texts of ISO 8601, as templates of SQL.
///
/// The server's own conversion takes `yesterday` and `Jan 1 2026` as well, knows no year 0, and goes by settings of the
/// session; so only texts of the commonest form are left to it. Of others the parts are taken by a pattern, as every engine
/// of the library reads them.
enum InstantTextForm {
    /// The parts of a text: sign, year, month, day; after a `T` or a blank hour, minute, second and its fraction; sign,
    /// hours and minutes of a zone.
    private static let pattern = """
        ^([+-]{0,1})([0-9]{4,6})-([0-9]{2})-([0-9]{2})([Tt ]([0-9]{2}):([0-9]{2})\
        (:([0-9]{2})([.,]([0-9]+)){0,1}){0,1}([Zz]|([+-])([0-9]{2})(:{0,1}([0-9]{2})){0,1}){0,1}){0,1}$
        """

    /// The point in time of a text; what is none is an error.
    ///
    /// Without a zone it is in UTC. What is finer than a microsecond is rounded, a leap second is the first of the next
    /// minute, and 24:00 the end of a day.
    static var value: String {
        func number(_ part: Int) -> String { "coalesce(p[\(part)], '0')::integer" }
        let (hour, minute, second) = (number(6), number(7), number(9))
        let isTime = """
            \(minute) < 60 AND \(second) <= 60 AND \(number(14)) < 24 AND \(number(16)) < 60 \
            AND (\(hour) < 24 OR \(hour) = 24 AND \(minute) + \(second) = 0 AND coalesce(p[11], '') !~ '[1-9]')
            """
        // The year before the first is the server's first before Christ.
        let day = """
            make_date(CASE WHEN p[1] = '-' OR p[2]::integer = 0 THEN -p[2]::integer - 1 \
            ELSE p[2]::integer END, p[3]::integer, p[4]::integer)
            """
        let offset =
            "(coalesce(p[13], '') || '1')::integer * (\(number(14)) * 3600 + \(number(16)) * 60)"
        let time = """
            make_interval(secs => (\(hour) * 3600 + \(minute) * 60 + \(second) - \(offset) \
            + round(('0.' || coalesce(p[11], '0'))::numeric, 6))::double precision)
            """
        // Of what a planner merges into the query around it the pattern is matched for each part.
        return """
            (SELECT CASE WHEN x IS NULL THEN NULL \
            WHEN \(isPlain) THEN x::timestamp AT TIME ZONE 'UTC' \
            ELSE (SELECT CASE WHEN p IS NULL OR NOT (\(isTime)) \
            THEN ('no date: ' || x)::timestamp with time zone \
            ELSE (\(day) + \(time)) AT TIME ZONE 'UTC' END \
            FROM (SELECT regexp_match(x, '\(pattern)') OFFSET 0) AS parts(p)) END \
            FROM (SELECT (#)::text COLLATE "C") AS texts(x))
            """
    }

    /// Whether a text is in the form that most are in, which the server's own conversion takes for the same: a day, or one
    /// with a time to the second or with six digits at most, in UTC.
    ///
    /// A pattern that says the same takes the server twice as long as all else, or much longer where it has alternatives.
    private static let isPlain = """
        left(x, 1) > '0' AND CASE translate(x, '0123456789', '') \
        WHEN '--T::Z' THEN x LIKE '____-__-__T__:__:__Z' \
        WHEN '-- ::.' THEN x LIKE '____-__-__ __:__:__._%' AND length(x) <= 26 \
        WHEN '--' THEN x LIKE '____-__-__' \
        WHEN '-- ::' THEN x LIKE '____-__-__ __:__:__' \
        WHEN '--T::.Z' THEN x LIKE '____-__-__T__:__:__._%Z' AND length(x) <= 27 END
        """

    /// The text of a point in time.
    ///
    /// - Parameters:
    ///   - separator: What stands between day and time; nil for a day alone.
    ///   - fractionDigits: How many digits of the second's fraction there are, 0 to 6.
    ///   - hasZone: Whether a `Z` ends it.
    /// - Returns: The template.
    static func stored(separator: String?, fractionDigits: Int = 0, hasZone: Bool = false) -> String
    {
        // A year beyond four digits has a sign and six digits.
        var text = """
            CASE WHEN y BETWEEN 0 AND 9999 THEN lpad(y::text, 4, '0') \
            ELSE CASE WHEN y < 0 THEN '-' ELSE '+' END || lpad(abs(y)::text, 6, '0') END
            """
        if let separator {
            text += " || to_char(i, '-MM-DD\"\(separator)\"HH24:MI:SS')"
            if fractionDigits > 0 {
                text += " || '.' || left(to_char(i, 'US'), \(fractionDigits))"
            }
            if hasZone { text += " || 'Z'" }
        } else {
            text += " || to_char(i, '-MM-DD')"
        }
        return """
            (SELECT \(text) FROM (SELECT i, extract(year FROM i)::integer \
            + CASE WHEN extract(year FROM i) < 0 THEN 1 ELSE 0 END \
            FROM (SELECT (#)::timestamp with time zone AT TIME ZONE 'UTC') AS instants(i)) AS years(i, y))
            """
    }
}

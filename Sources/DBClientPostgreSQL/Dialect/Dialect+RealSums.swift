import DBClientCore
import DBClientSQL

// The server's own sum of doubles rounds at each step, in whatever order it comes upon the rows, and one that
// leaves the range on its way is an error, which ends the transaction. What it adds up exactly, and fast, is
// integers: so each double is cut into whole numbers of 62 bits, which are added up each for themselves, and
// put together again as one `numeric`, which is rounded once.
extension PostgreSQLDialect {
    /// 2⁶²: from here on, and where something is left below 2⁻¹²⁴, a double is added up as a `numeric`.
    private static let range = "4611686018427387904"
    /// 2⁻⁶², with all of its digits.
    private static let unit = "0.00000000000000000021684043449710088680149056017398834228515625"
    /// 2¹²⁴, by which a double is multiplied to test whether anything is left below 2⁻¹²⁴.
    private static let finest = "21267647932558653966460912964485513216::double precision"
    /// The least double above zero.
    private static let least = "'4.9406564584124654e-324'::double precision"
    /// From here on the nearest double is infinite.
    private static let limit = "(2::numeric ^ 1024 - 2::numeric ^ 970)"

    static func realSum(_ function: AggregateFunction, isCompared: Bool) -> String {
        // A quotient that is zero but for its digits is an error to the server.
        let average =
            "CASE WHEN sum IN ('Infinity', '-Infinity') AND special IS NULL "
            + "THEN (exact * \(unit))::double precision / count * \(range) "
            + "WHEN abs(sum) < 1 THEN CASE WHEN abs(sum) * 2 <= count * \(least) "
            + "THEN sum * 0 ELSE sum / count END ELSE sum / count END"
        let result = function == .sum ? "sum" : average
        let condition = isCompared ? " WHERE sum <> 'NaN'" : ""
        return "(SELECT \(result) FROM \(sum(of: "((#)::double precision)"))\(condition))"
    }

    /// Returns a table of one row: the rounded sum, the exact one, that of the values that are infinite or no
    /// number, and how many there are; the sum is null of none.
    ///
    /// What adds the rows up stands in it once, as outer references, since the text is long, and the planner is kept
    /// from copying it to each place that names it.
    private static func sum(of value: String) -> String {
        let fence = traits.fence
        let isNear = "abs(\(value)) < \(range)"
        func whole(_ part: String) -> String {
            "sum(CASE WHEN \(isNear) THEN trunc(\(part))::bigint END)"
        }
        let scaled = "\(value) * \(range)"
        let far =
            "sum(\(exact(value))) FILTER (WHERE CASE WHEN \(isNear) "
            + "THEN \(value) * \(finest) <> trunc(\(value) * \(finest)) "
            + "ELSE abs(\(value)) < 'Infinity' END)"
        let special = "sum(\(value)) FILTER (WHERE abs(\(value)) >= 'Infinity')"
        return """
            (SELECT CASE WHEN count = 0 THEN NULL WHEN special IS NOT NULL THEN special \
            WHEN far IS NULL OR abs(exact) < \(limit) THEN exact::double precision \
            WHEN exact < 0 THEN '-Infinity' ELSE 'Infinity' END AS sum, exact, special, count \
            FROM (SELECT coalesce(whole, 0) \
            + (coalesce(fraction, 0) + coalesce(rest, 0) * \(unit)) * \(unit) \
            + coalesce(far, 0) AS exact, far, special, count \
            FROM (VALUES (count(\(value)), \(whole(value)), \
            \(whole("(\(value) - trunc(\(value))) * \(range)")), \
            \(whole("(\(scaled) - trunc(\(scaled))) * \(range)")), \
            \(far), \(special))) AS parts(count, whole, fraction, rest, far, special)\(fence)) AS summed\(fence)) AS rounded
            """
    }

    /// Returns a finite double as a `numeric` with all of its digits: the digits of its bits times a power of
    /// two, which for a negative power is one of five over one of ten.
    private static func exact(_ value: String) -> String {
        let bits = "('x' || encode(float8send(abs(\(value))), 'hex'))::bit(64)::bigint"
        let power = "(greatest(\(bits) >> 52, 1)::int - 1075)"
        return """
            CASE WHEN \(value) < 0 THEN -1 ELSE 1 END \
            * ((\(bits) & 4503599627370495) \
            + CASE WHEN \(bits) >> 52 = 0 THEN 0 ELSE 4503599627370496 END) \
            * CASE WHEN abs(\(value)) < 1 THEN 5::numeric ^ -\(power) * ('1e' || \(power))::numeric \
            ELSE 2::numeric ^ \(power) END
            """
    }
}

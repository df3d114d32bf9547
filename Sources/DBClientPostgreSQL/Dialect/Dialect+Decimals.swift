import DBClientCore

// Decimals: the server computes with any number of digits, of which the library keeps 38.
extension PostgreSQLDialect {
    /// Returns a decimal with an error for one that the library does not keep.
    ///
    /// Nearly all have 19 digits at most on either side of the point. For the others the last digit is looked for, of the number
    /// moved far behind the point, so that zeros before the point count as those behind it. The offset keeps the planner
    /// from copying what is computed.
    static func kept(_ decimal: String) -> String {
        """
        (SELECT CASE WHEN abs("x") < 1e19 AND scale("x") <= 19 THEN "x" \
        WHEN abs("x") < 1e165 AND min_scale("x") <= 128 \
        AND abs("x" * 1e-200) < ('1e' || (38 - min_scale("x" * 1e-200))::text)::numeric THEN "x" \
        ELSE "x" / 0 END FROM (SELECT \(decimal) AS "x" OFFSET 0) AS "decimal")
        """
    }

    /// The template of a quotient, rounded from zero: the server divides whole numbers exactly.
    static var quotient: String {
        kept(
            """
            (SELECT sign("a") * sign("b") * div(2 * abs("a") * ('1e' || "s")::numeric + abs("b"), 2 * abs("b")) \
            * ('1e' || -"s")::numeric \
            FROM (SELECT (#) AS "a", (#) AS "b", (#)::integer AS "s" OFFSET 0) AS "operands")
            """
        )
    }
}

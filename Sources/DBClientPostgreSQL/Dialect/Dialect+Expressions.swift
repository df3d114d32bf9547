import DBClientCore

extension PostgreSQLDialect {
    /// Returns the template of a field in an expression: an integer of 64 bits, as the library computes.
    ///
    /// The sine of what is infinite is an error, and the server computes it for no other value.
    static func template(of field: FieldType, isComputedWith: Bool) -> String {
        switch field {
        case .integer: "(#)::bigint"
        case .double, .float:
            isComputedWith
                ? "(CASE WHEN # > '-Infinity' AND # < 'Infinity' THEN # ELSE sin(#) END)::double precision"
                : "(#)::double precision"
        default: "#"
        }
    }

    /// Returns the template of a constant in an expression.
    static func template(ofConstant type: FieldType) -> String {
        switch type {
        case .integer: "?::bigint"
        default: "?::\(ServerType.name(of: type))"
        }
    }

    static func template(of call: RowFunctionCall) -> String {
        switch call.function {
        case .add: fold(call, "+")
        case .subtract: fold(call, "-")
        case .multiply: fold(call, "*")
        case .divide: fold(call, "/")
        case .remainder: fold(call, "%")
        case .negate where call.type.slotKind == .real: "(0 - #)"
        case .negate: bounded("(- #)", call.type)
        case .magnitude where call.type.slotKind == .real: "abs(#)"
        case .magnitude: bounded("abs(#)", call.type)
        case .least: extreme(call, "least")
        case .greatest: extreme(call, "greatest")
        case .convert: converted(call)
        case .join: "(" + operands(call).joined(separator: " || ") + ")"
        case .lowercased: "lower((#)::text COLLATE \"C\")"
        case .uppercased: "upper((#)::text COLLATE \"C\")"
        case .count: count(call.operand)
        // The server has no year 0.
        case .year:
            """
            (SELECT CASE WHEN "year" < 0 THEN "year" + 1 ELSE "year" END \
            FROM (VALUES (\(part("year")))) AS "date"("year"))
            """
        case .month: part("month")
        case .day: part("day")
        case .weekday: part("isodow")
        case .hour: part("hour")
        case .startOfDay: start("day")
        case .startOfWeek: start("week")
        case .startOfMonth: start("month")
        case .quotient: quotient
        case .localTime: localTime
        case .firstMoment: firstMoment
        case .hasPrefix: "(strpos(#, #) = 1)"
        case .hasSuffix: "(strpos(reverse(#), reverse(#)) = 1)"
        // A column of JSON is searched as text.
        case .contains: "(strpos((#)::text, #) > 0)"
        // The client computes them, and asks for them in no statement.
        case .folded, .part, .search, .rank: list(call)
        }
    }

    private static func operands(_ call: RowFunctionCall) -> [String] {
        [String](repeating: "#", count: call.count)
    }

    private static func list(_ call: RowFunctionCall) -> String {
        operands(call).joined(separator: ", ")
    }

    /// Returns a function that leaves absent operands out, with nothing where one is absent.
    private static func extreme(_ call: RowFunctionCall, _ name: String) -> String {
        let names = (1...call.count).map { "\"\($0)\"" }
        let columns = names.joined(separator: ", ")
        let arePresent = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        return """
            (SELECT CASE WHEN \(arePresent) THEN \(name)(\(columns)) END \
            FROM (VALUES (\(list(call)))) AS "values"(\(columns)))
            """
    }

    /// Returns an operator between the operands, from the first on, whose results the server checks.
    private static func fold(_ call: RowFunctionCall, _ sign: String) -> String {
        switch call.type {
        case .decimal:
            return operands(call).dropFirst().reduce("#") { text, operand in
                kept("\(text) \(sign) \(operand)")
            }
        case .double:
            // Zero without a sign.
            return "(" + operands(call).joined(separator: " \(sign) ") + " + 0)"
        case .float:
            let terms = operands(call).map { "(\($0))::real" }
            return "(" + terms.joined(separator: " \(sign) ") + " + 0::real)::double precision"
        default:
            return operands(call).dropFirst().reduce("#") { text, operand in
                bounded("(\(text) \(sign) \(operand))", call.type)
            }
        }
    }

    /// Returns an integer with an error for what its type does not have: what is too large, or too small, leaves
    /// `bigint` on a way there and back.
    private static func bounded(_ text: String, _ type: FieldType) -> String {
        guard let bounds = type.bounds else { return text }
        func shifted(_ text: String, _ distance: Int64) -> String {
            distance == 0
                ? text : "(\(text) + '\(distance)'::bigint - '\(distance)'::bigint)"
        }
        let upper = shifted(text, Int64.max - bounds.upperBound)
        return shifted(upper, Int64.min - bounds.lowerBound)
    }

    private static func converted(_ call: RowFunctionCall) -> String {
        switch (call.operand.slotKind, call.type) {
        case (_, .float): "((#)::real)::double precision"
        case (_, .double): "(#)::double precision"
        case (_, .decimal): "(#)::numeric"
        case (.real, _), (.data, _): bounded("(trunc(#)::bigint)", call.type)
        default: bounded("#", call.type)
        }
    }

    private static func part(_ name: String) -> String {
        "extract(\(name) FROM (#) AT TIME ZONE 'UTC')::bigint"
    }

    private static func start(_ unit: String) -> String {
        "(date_trunc('\(unit)', (#) AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')"
    }

    private static func count(_ operand: FieldType) -> String {
        switch operand {
        case .data: "octet_length(#)::bigint"
        case .json:
            """
            (SELECT CASE json_typeof("value") WHEN 'array' THEN json_array_length("value")::bigint \
            WHEN 'object' THEN (SELECT COUNT(*) FROM json_object_keys("value")) END \
            FROM (VALUES ((#)::json)) AS "list"("value"))
            """
        default: "char_length(#)::bigint"
        }
    }
}

import DBClientCore
import DBClientSQL

// Time zones: by the rules that the request carries, not by those of the server, which may be older or newer. The server
// looks a date up in an array by halves.
extension PostgreSQLDialect {
    /// The template of a local time.
    static let localTime = """
        (SELECT "at" + make_interval(secs => (?::bigint[])[width_bucket("at", ?::timestamptz[])]::double precision) \
        FROM (VALUES (#)) AS "date"("at"))
        """

    /// The template of the first moment of a local time, in the first period that leads to a later one.
    static let firstMoment = """
        (SELECT greatest((?::timestamptz[])["period"], \
        "at" - make_interval(secs => (?::bigint[])["period"]::double precision)) \
        FROM (SELECT "at", width_bucket("at", ?::timestamptz[]) + 1 FROM (VALUES (#)) AS "local"("at")) \
        AS "date"("at", "period"))
        """

    func constants(of function: RowFunction, in rules: StorageValue) -> [StorageValue] {
        guard case .data(let bytes) = rules else { return [] }
        return bytes.withUnsafeBytes { bytes in
            guard let rules = ZoneRules(bytes) else { return [] }
            let periods = 0..<rules.count
            let starts = ValueList.pack(periods.map { .integer(rules.start($0)) })
            let offsets = ValueList.pack(periods.map { .integer(rules.offset($0) / 1_000_000) })
            if function == .localTime { return [offsets, starts] }
            // What lies behind all of them is of the last period.
            let ends = periods.dropLast().map { StorageValue.integer(rules.end($0)) }
            return [starts, offsets, ValueList.pack(ends)]
        }
    }
}

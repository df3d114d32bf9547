import DBClientCore
import DBClientTestSupport
import Foundation

/// Parts of dates in time zones: hours that are skipped and that are there twice, days without midnight, and the ends of
/// the rules.
enum ZoneCases {
    static let all: [ConformanceCase] = parts + uses + [asFoundation]

    // MARK: Single moments

    private static let parts: [ConformanceCase] = [
        promise(.expressions, "parts of dates in time zones") { client in
            try await check(
                "Europe/Berlin",
                [
                    // The hour from two to three is skipped, and there twice.
                    Moment("2024-03-31T00:59:59Z", "2024-3-31 1 7"),
                    Moment("2024-03-31T01:00:00Z", "2024-3-31 3 7"),
                    Moment("2024-10-27T00:30:00Z", "2024-10-27 2 7"),
                    Moment("2024-10-27T01:30:00Z", "2024-10-27 2 7"),
                    Moment("2024-10-27T22:59:59Z", "2024-10-27 23 7"),
                    Moment("2024-12-31T23:00:00Z", "2025-1-1 0 3"),
                    // Local time, 53 minutes and 28 seconds before Greenwich's.
                    Moment("1799-12-31T23:06:31Z", "1799-12-31 23 2"),
                    Moment("1799-12-31T23:06:32Z", "1800-1-1 0 3"),
                    // From 2100 on there is no summer.
                    Moment("2100-07-01T22:30:00Z", "2100-7-1 23 4"),
                ],
                client
            )
            try await check(
                "Australia/Sydney",
                [
                    Moment("9999-12-31T12:59:59Z", "9999-12-31 23 5"),
                    Moment("9999-12-31T13:00:00Z", "10000-1-1 0 6"),
                ],
                client
            )
            try await check(
                "Pacific/Apia",
                [
                    Moment("2011-12-30T09:59:59Z", "2011-12-29 23 4"),
                    Moment("2011-12-30T10:00:00Z", "2011-12-31 0 6"),
                ],
                client
            )
            try await check("GMT+0545", [Moment("2024-02-28T18:15:00Z", "2024-2-29 0 4")], client)
        },
        promise(.expressions, "where days, weeks and months begin in time zones") { client in
            try await check(
                "Europe/Berlin",
                [
                    Start(
                        "2024-03-31T12:00:00Z",
                        "2024-03-30T23:00:00Z",
                        "2024-03-24T23:00:00Z",
                        "2024-02-29T23:00:00Z"
                    ),
                    Start(
                        "2024-10-27T12:00:00Z",
                        "2024-10-26T22:00:00Z",
                        "2024-10-20T22:00:00Z",
                        "2024-09-30T22:00:00Z"
                    ),
                    Start(
                        "2024-10-31T23:30:00Z",
                        "2024-10-31T23:00:00Z",
                        "2024-10-27T23:00:00Z",
                        "2024-10-31T23:00:00Z"
                    ),
                ],
                client
            )
            // Clocks were put forward at midnight, and back at midnight to the day before.
            try await check(
                "America/Sao_Paulo",
                [
                    Start(
                        "2018-11-04T12:00:00Z",
                        "2018-11-04T03:00:00Z",
                        "2018-10-29T03:00:00Z",
                        "2018-11-01T03:00:00Z"
                    ),
                    Start(
                        "2018-02-18T02:30:00Z",
                        "2018-02-17T02:00:00Z",
                        "2018-02-12T02:00:00Z",
                        "2018-02-01T02:00:00Z"
                    ),
                    Start(
                        "2018-02-18T12:00:00Z",
                        "2018-02-18T03:00:00Z",
                        "2018-02-12T02:00:00Z",
                        "2018-02-01T02:00:00Z"
                    ),
                ],
                client
            )
            // Clocks were put back at one minute past midnight: that day began twice, and the first time counts.
            try await check(
                "America/St_Johns",
                [
                    Start(
                        "2010-11-07T02:30:30Z",
                        "2010-11-07T02:30:00Z",
                        "2010-11-01T02:30:00Z",
                        "2010-11-01T02:30:00Z"
                    ),
                    Start(
                        "2010-11-07T02:45:00Z",
                        "2010-11-06T02:30:00Z",
                        "2010-11-01T02:30:00Z",
                        "2010-11-01T02:30:00Z"
                    ),
                    Start(
                        "2010-11-07T12:00:00Z",
                        "2010-11-07T02:30:00Z",
                        "2010-11-01T02:30:00Z",
                        "2010-11-01T02:30:00Z"
                    ),
                ],
                client
            )
            // 30 December 2011 was left out.
            try await check(
                "Pacific/Apia",
                [
                    Start(
                        "2011-12-31T00:00:00Z",
                        "2011-12-30T10:00:00Z",
                        "2011-12-26T10:00:00Z",
                        "2011-12-01T10:00:00Z"
                    )
                ],
                client
            )
        },
        promise(.expressions, "the ends of the dates that are kept, in a time zone") { client in
            let first = Date(timeIntervalSince1970: -210_866_803_200)
            let last = Date(timeIntervalSince1970: Double(Int64.max / 1_000_000 - 1))
            try await insert([first, first + 8 * 86_400, last], client)
            for name in ["Pacific/Kiritimati", "Pacific/Pago_Pago"] {
                let zone = try zone(name)
                let rows = try await client.fetch(
                    EveryType.all.select {
                        (
                            $0.date.day(in: zone), $0.date.startOfDay(in: zone),
                            $0.date.hour(in: zone)
                        )
                    }
                )
                try expectEqual(rows[0].0, 24)
                try expectEqual(rows[0].1, first)
                try expectEqual(rows.map(\.2)[2], 4)
                let weeks = EveryType.all.select { $0.date.startOfWeek(in: zone) }
                try expectEqual(try await client.fetch(weeks)[0], first)
                try await expectError(.invalidValue) {
                    _ = try await client.fetch(
                        EveryType.all.select { $0.date.startOfMonth(in: zone) }
                    )
                }
            }
        },
    ]

    // MARK: Where they stand

    private static let uses: [ConformanceCase] = [
        promise(.expressions, "groups, sorts and updates by parts of dates in a time zone") {
            client in
            let zone = try zone("Europe/Berlin")
            let dates = [
                "2024-01-31T22:59:59Z", "2024-01-31T23:00:00Z", "2024-02-29T22:30:00Z",
                "2024-02-29T23:30:00Z", "2024-06-30T22:00:00Z",
            ]
            try await insert(try dates.map(date), client)
            let months = EveryType.all
                .grouped { ($0.date.year(in: zone), $0.date.month(in: zone)) }
                .select(.count, .min(\.date))
            let groups = try await client.fetch(months)
            try expectEqual(groups.map(\.key.1), [1, 2, 3, 7])
            try expectEqual(groups.map(\.values.0), [1, 2, 1, 1])
            let starts = EveryType.all.grouped { $0.date.startOfMonth(in: zone) }.select(.count)
            try expectEqual(
                try await client.fetch(starts).map(\.key),
                try [
                    "2023-12-31T23:00:00Z", "2024-01-31T23:00:00Z", "2024-02-29T23:00:00Z",
                    "2024-06-30T22:00:00Z",
                ].map(date)
            )
            let sorted = EveryType.all.sorted { [$0.date.hour(in: zone).descending, $0.id] }
            try expectEqual(try await client.fetch(sorted).map(\.id), [0, 2, 1, 3, 4])
            let february = EveryType.where { $0.date.month(in: zone) == 2 && $0.id < 9 }
            try expectEqual(try await client.fetch(february).map(\.id), [1, 2])
            try expectEqual(try await client.count(february), 2)
            try await client.update(february) {
                $0.set(\.optionalDate) { $0.date.startOfDay(in: zone) }
                $0.set(\.optionalInt64) {
                    $0.optionalDate.month(in: zone).converted(to: Int64.self)
                }
            }
            let found = try await client.fetch(february)
            try expectEqual(
                found.map(\.optionalDate),
                try ["2024-01-31T23:00:00Z", "2024-02-28T23:00:00Z"].map(date)
            )
            try expectEqual(found.map(\.optionalInt64), [nil, nil])
            let absent = EveryType.where { $0.optionalDate.startOfWeek(in: zone) == nil }
            try expectEqual(try await client.count(absent), 3)
            try expectEqual(try await client.delete(february), 2)
        }
    ]

    // MARK: Random moments

    private static let asFoundation = promise(
        .expressions,
        "parts of dates in time zones, as Foundation's calendar has them"
    ) { client in
        var random = SeededGenerator(seed: 31)
        let names = [
            "Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata",
            "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia", "America/Havana",
        ]
        var dates: [Date] = []
        for name in names {
            // A random moment, and those around the next change.
            for _ in 0..<8 {
                let seconds = Int.random(in: -2_200_000_000...4_000_000_000, using: &random)
                let date = Date(timeIntervalSince1970: Double(seconds) + 0.25)
                dates.append(date)
                guard let change = try zone(name).nextDaylightSavingTimeTransition(after: date),
                    change.timeIntervalSince1970 < 4_102_444_800
                else { continue }
                for distance in [-3_601, -0.5, 0, 0.5, 3_599, 40_000] {
                    dates.append(change + distance)
                }
            }
        }
        try await insert(dates, client)
        for name in names {
            let zone = try zone(name)
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            let found = try await client.fetch(
                EveryType.all.select {
                    (
                        $0.date.year(in: zone), $0.date.month(in: zone), $0.date.day(in: zone),
                        $0.date.weekday(in: zone), $0.date.hour(in: zone)
                    )
                }
            )
            for (row, date) in zip(found, dates) {
                let parts = calendar.dateComponents(
                    [.year, .month, .day, .weekday, .hour],
                    from: date
                )
                let expected = [
                    parts.year, parts.month, parts.day, parts.weekday.map { ($0 + 5) % 7 + 1 },
                    parts.hour,
                ]
                try expectEqual(
                    [row.0, row.1, row.2, row.3, row.4],
                    expected.compactMap(\.self),
                    "\(date.timeIntervalSince1970) in \(name)"
                )
            }
        }
    }

    // MARK: Helpers

    private struct Moment {
        let date: String
        /// The day, the hour and the day of the week.
        let parts: String

        init(_ date: String, _ parts: String) {
            (self.date, self.parts) = (date, parts)
        }
    }

    private struct Start {
        let date: String
        let starts: [String]

        init(_ date: String, _ day: String, _ week: String, _ month: String) {
            self.date = date
            starts = [day, week, month]
        }
    }

    private static func check(
        _ name: String,
        _ moments: [Moment],
        _ client: any DBClient
    ) async throws {
        let zone = try zone(name)
        try await insert(try moments.map { try date($0.date) }, client)
        for (index, moment) in moments.enumerated() {
            let numbers = moment.parts.split { $0 == "-" || $0 == " " }.compactMap { Int($0) }
            let one = EveryType.where {
                $0.id == index && $0.date.year(in: zone) == numbers[0]
                    && $0.date.month(in: zone) == numbers[1] && $0.date.day(in: zone) == numbers[2]
                    && $0.date.hour(in: zone) == numbers[3]
                    && $0.date.weekday(in: zone) == numbers[4]
            }
            try expectEqual(try await client.count(one), 1, "\(moment.date) in \(name)")
        }
        let rows = try await client.fetch(
            EveryType.all.select {
                (
                    $0.date.year(in: zone), $0.date.month(in: zone), $0.date.day(in: zone),
                    $0.date.hour(in: zone), $0.date.weekday(in: zone)
                )
            }
        )
        try expectEqual(
            rows.map { "\($0.0)-\($0.1)-\($0.2) \($0.3) \($0.4)" },
            moments.map(\.parts)
        )
        try await client.delete(EveryType.all)
    }

    private static func check(
        _ name: String,
        _ starts: [Start],
        _ client: any DBClient
    ) async throws {
        let zone = try zone(name)
        try await insert(try starts.map { try date($0.date) }, client)
        let rows = try await client.fetch(
            EveryType.all.select {
                (
                    $0.date.startOfDay(in: zone), $0.date.startOfWeek(in: zone),
                    $0.date.startOfMonth(in: zone)
                )
            }
        )
        for (index, start) in starts.enumerated() {
            let expected = try start.starts.map(date)
            let row = rows[index]
            try expectEqual([row.0, row.1, row.2], expected, "\(start.date) in \(name)")
            let one = EveryType.where {
                $0.id == index && $0.date.startOfDay(in: zone) == expected[0]
                    && $0.date.startOfWeek(in: zone) == expected[1]
                    && $0.date.startOfMonth(in: zone) == expected[2]
            }
            try expectEqual(try await client.count(one), 1, "\(start.date) in \(name)")
        }
        try await client.delete(EveryType.all)
    }

    private static func insert(_ dates: [Date], _ client: any DBClient) async throws {
        try await client.insert(
            dates.enumerated().map { index, date in
                var model = EveryType(index)
                model.date = date
                return model
            }
        )
    }

    private static func zone(_ name: String) throws -> TimeZone {
        guard let zone = TimeZone(identifier: name) else {
            throw ConformanceFailure("There must be a time zone \(name).")
        }
        return zone
    }

    private static func date(_ text: String) throws -> Date {
        try Date.ISO8601FormatStyle().parse(text)
    }
}

import DBClientCore
import Foundation

/// Year, month, day, weekday and hour of dates in UTC, and the starts of days, weeks and months.
enum DatePartCases {
    static let all: [ConformanceCase] = [
        promise(.expressions, "parts of dates, of all that are kept") { client in
            try await client.insert(
                moments.enumerated().map { index, moment in
                    var model = EveryType(index)
                    model.date = moment.date
                    model.optionalDate = index == 0 ? nil : moment.date
                    return model
                }
            )
            for (index, moment) in moments.enumerated() {
                try await ExpressionCases.expectValue(moment.year, of: index, client) {
                    $0.date.year
                }
                try await ExpressionCases.expectValue(moment.month, of: index, client) {
                    $0.date.month
                }
                try await ExpressionCases.expectValue(moment.day, of: index, client) { $0.date.day }
                try await ExpressionCases.expectValue(moment.weekday, of: index, client) {
                    $0.date.weekday
                }
                try await ExpressionCases.expectValue(moment.hour, of: index, client) {
                    $0.date.hour
                }
            }
            let isAbsent = EveryType.where { $0.optionalDate.year == nil }
            try expectEqual(try await client.fetch(isAbsent).map(\.id), [0])
        },
        promise(.expressions, "where days, weeks and months begin") { client in
            // Two years from the beginning of 2023 and of 1600 on, by steps of eight days and some hours.
            let starts: [Double] = [1_672_531_200, -11_676_096_000]
            var dates: [Date] = []
            for start in starts {
                for step in 0..<90 {
                    let seconds: Double = start + Double(step) * 699_840 + 0.25
                    dates.append(Date(timeIntervalSince1970: seconds))
                }
            }
            try await client.insert(
                dates.enumerated().map { index, date in
                    var model = EveryType(index)
                    model.date = date
                    return model
                }
            )
            var calendar = Calendar(identifier: .iso8601)
            calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
            let found = try await client.fetch(
                EveryType.all.select {
                    ($0.date.startOfDay, $0.date.startOfWeek, $0.date.startOfMonth, $0.date.weekday)
                }
            )
            for (index, date) in dates.enumerated() {
                let day = calendar.startOfDay(for: date)
                let weekday = (calendar.component(.weekday, from: date) + 5) % 7 + 1
                let week = day.addingTimeInterval(Double(1 - weekday) * 86_400)
                let dayOfMonth = calendar.component(.day, from: date)
                let month = day.addingTimeInterval(Double(1 - dayOfMonth) * 86_400)
                try expectEqual(found[index].0, day)
                try expectEqual(found[index].1, week)
                try expectEqual(found[index].2, month)
                try expectEqual(found[index].3, weekday)
                let isFound = EveryType.where {
                    $0.id == index && $0.date.startOfDay == day && $0.date.startOfWeek == week
                        && $0.date.startOfMonth == month
                }
                try expectEqual(try await client.count(isFound), 1, "\(date)")
            }
        },
        promise(.expressions, "beginnings at the ends of the dates that are kept") { client in
            // 24 November 4714 BC, a Monday, and 10 January 294247, a Sunday.
            let first: Int64 = -210_866_803_200_000_000
            let last = Int64.max
            var models = (1...3).map { EveryType($0) }
            models[0].date = Date(timeIntervalSince1970: Double(first) / 1_000_000)
            models[1].date = Date(timeIntervalSince1970: Double(first) / 1_000_000 + 8 * 86_400)
            models[2].date = Date(timeIntervalSince1970: Double(last / 1_000_000 - 1))
            try await client.insert(models)
            let rows = try await client.fetch(
                EveryType.all.select { ($0.date.startOfDay, $0.date.startOfWeek, $0.date.weekday) }
            )
            try expectEqual(rows.map { $0.0 == $0.1 }, [true, false, false])
            try expectEqual(rows.map(\.2), [1, 2, 7])
            try expectEqual(rows[1].1, models[0].date.addingTimeInterval(7 * 86_400))
            let monday = models[0].date
            let same = EveryType.where { $0.date.startOfWeek == monday }
            try expectEqual(try await client.fetch(same).map(\.id), [1])
            // The month began before what is kept.
            let one = EveryType.where { $0.id == 1 }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(one.select { $0.date.startOfMonth })
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(one.filter { $0.date.startOfMonth < monday })
            }
            try await expectError(.invalidValue) {
                _ = try await client.update(one) { $0.set(\.date) { $0.date.startOfMonth } }
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(EveryType.all.sorted { $0.date.startOfMonth })
            }
            let later = EveryType.where { $0.id > 1 }
            let months = try await client.fetch(later.select { $0.date.startOfMonth })
            try expectEqual(months[0], models[0].date.addingTimeInterval(7 * 86_400))
            let year = EveryType.where { $0.date.year == 294_247 && $0.date.startOfMonth > monday }
            try expectEqual(try await client.fetch(year.filter { $0.id > 1 }).map(\.id), [3])
        },
        promise(.expressions, "absent dates, and dates of a sort and of an update") { client in
            var models = (1...4).map { EveryType($0) }
            for (index, seconds) in [-86_401.0, -86_400, 86_399].enumerated() {
                models[index].optionalDate = Date(timeIntervalSince1970: seconds)
            }
            try await client.insert(models)
            func expect(
                _ expected: [Int],
                _ term: (Fields<EveryType>) -> some SortTerm<EveryType>
            ) async throws {
                let request = EveryType.all.sorted(term)
                let all = try await client.fetch(request)
                try expectEqual(all.map(\.id), expected)
                for (position, model) in all.enumerated() {
                    let rest = try await client.fetch(request.after(model))
                    try expectEqual(rest.map(\.id), Array(expected.dropFirst(position + 1)))
                }
            }
            try await expect([4, 1, 2, 3]) { $0.optionalDate.startOfDay }
            try await expect([1, 2, 3, 4]) { $0.optionalDate.startOfDay.nilsLast }
            try await expect([3, 2, 1, 4]) { $0.optionalDate.startOfDay.descending }
            try await expect([4, 2, 1, 3]) { $0.optionalDate.hour }
            try await expect([4, 3, 1, 2]) { $0.optionalDate.day }
            try await client.update(EveryType.all) {
                $0.set(\.optionalDate) { $0.optionalDate.startOfDay }
                $0.set(\.optionalInt64) { $0.optionalDate.day.converted(to: Int64.self) }
            }
            let found = try await client.fetch(EveryType.all)
            try expectEqual(
                found.map { $0.optionalDate?.timeIntervalSince1970 },
                [-172_800, -86_400, 0, nil]
            )
            try expectEqual(found.map(\.optionalInt64), [30, 31, 1, nil])
        },
        promise(.expressions, "groups and sorts by parts of dates") { client in
            let days = [0, 31, 31, 60, 366, 400]
            try await client.insert(
                days.enumerated().map { index, day in
                    var model = EveryType(index)
                    model.date = Date(timeIntervalSince1970: Double(day) * 86_400)
                    model.double = Double(day)
                    return model
                }
            )
            let months = EveryType.all.grouped { ($0.date.year, $0.date.month) }
                .select(.count, .sum(\.double))
            let rows = try await client.fetch(months)
            try expectEqual(rows.map(\.key.0), [1970, 1970, 1970, 1971, 1971])
            try expectEqual(rows.map(\.key.1), [1, 2, 3, 1, 2])
            try expectEqual(rows.map(\.values.0), [1, 2, 1, 1, 1])
            try expectEqual(rows.map(\.values.1), [0, 62, 60, 366, 400])
            let sorted = EveryType.all.sorted { [$0.date.month.descending, $0.date.day, $0.id] }
            try expectEqual(try await client.fetch(sorted).map(\.id), [3, 1, 2, 5, 0, 4])
        },
    ]

    private struct Moment {
        let date: Date
        let year: Int
        let month: Int
        let day: Int
        let weekday: Int
        let hour: Int

        init(_ seconds: Double, _ year: Int, _ month: Int, _ day: Int, _ weekday: Int, _ hour: Int)
        {
            date = Date(timeIntervalSince1970: seconds)
            (self.year, self.month, self.day) = (year, month, day)
            (self.weekday, self.hour) = (weekday, hour)
        }
    }

    private static let moments = [
        Moment(0, 1970, 1, 1, 4, 0), Moment(-0.000_001, 1969, 12, 31, 3, 23),
        // Leap days, and centuries without one.
        Moment(951_782_400, 2000, 2, 29, 2, 0), Moment(951_868_799.5, 2000, 2, 29, 2, 23),
        Moment(1_709_164_800, 2024, 2, 29, 4, 0), Moment(4_107_542_399, 2100, 2, 28, 7, 23),
        Moment(4_107_542_400, 2100, 3, 1, 1, 0), Moment(-2_203_891_200, 1900, 3, 1, 4, 0),
        // Before the Gregorian calendar was in use, and before its first year.
        Moment(-12_219_292_800, 1582, 10, 15, 5, 0), Moment(-12_219_379_200, 1582, 10, 14, 4, 0),
        Moment(-62_135_596_800, 1, 1, 1, 1, 0), Moment(-62_135_596_801, 0, 12, 31, 7, 23),
        Moment(-62_162_208_000, 0, 2, 28, 1, 0), Moment(-62_162_121_600, 0, 2, 29, 2, 0),
        Moment(-62_167_219_201, -1, 12, 31, 5, 23),
        // The ends of what is kept, and a year of five digits.
        Moment(-210_866_803_200, -4713, 11, 24, 1, 0), Moment(253_402_300_800, 10_000, 1, 1, 6, 0),
        Moment(9_223_371_331_200, 294_247, 1, 2, 6, 0),
    ]
}

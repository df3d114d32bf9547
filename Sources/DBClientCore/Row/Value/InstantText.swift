/// Points in time as ISO 8601 text in UTC, in microseconds since 1970.
enum InstantText {
    static let microsecondsOfDay: Int64 = 86_400_000_000

    /// How the text of a point in time is written.
    struct Style {
        /// What stands between day and time; nil for a day alone.
        var separator: UInt8?
        /// How many digits of the second's fraction there are, 0 to 6.
        var fractionDigits = 0
        var hasZone = false
    }

    /// Returns the text of a point in time, whose finer parts are left out.
    static func text(_ microseconds: Int64, _ style: Style) -> String {
        let days = floorDivided(microseconds, by: microsecondsOfDay)
        let (year, month, day) = civil(days)
        return String(unsafeUninitializedCapacity: 40) { bytes in
            var count = 0
            func put(_ byte: UInt8) {
                bytes[count] = byte
                count += 1
            }
            func put(_ number: Int64, width: Int) {
                var power: Int64 = 1
                for _ in 1..<width { power *= 10 }
                while power > 0 {
                    put(UInt8(ascii: "0") + UInt8(number / power % 10))
                    power /= 10
                }
            }
            // A year beyond four digits has a sign and six digits.
            if !(0...9999).contains(year) { put(UInt8(ascii: year < 0 ? "-" : "+")) }
            put(abs(year), width: (0...9999).contains(year) ? 4 : 6)
            put(UInt8(ascii: "-"))
            put(month, width: 2)
            put(UInt8(ascii: "-"))
            put(day, width: 2)
            guard let separator = style.separator else { return count }
            let rest = microseconds - days * microsecondsOfDay
            let seconds = rest / 1_000_000
            put(separator)
            put(seconds / 3600, width: 2)
            put(UInt8(ascii: ":"))
            put(seconds / 60 % 60, width: 2)
            put(UInt8(ascii: ":"))
            put(seconds % 60, width: 2)
            if style.fractionDigits > 0 {
                put(UInt8(ascii: "."))
                var fraction = rest % 1_000_000
                for _ in style.fractionDigits..<6 { fraction /= 10 }
                put(fraction, width: style.fractionDigits)
            }
            if style.hasZone { put(UInt8(ascii: "Z")) }
            return count
        }
    }

    /// Returns the point in time of a text: a day, or a day and a time with or without seconds, a fraction of any
    /// length, and a zone; nil for what is none.
    ///
    /// Without a zone it is in UTC. What is finer than a microsecond is rounded.
    static func microseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        var scanner = Scanner(rest: text[...])
        let isNegative = scanner.skip("-")
        if !isNegative { _ = scanner.skip("+") }
        guard let (years, width) = scanner.number(upTo: 6), width >= 4,
            scanner.skip("-"), let month = scanner.number(of: 2), (1...12).contains(month),
            scanner.skip("-"), let day = scanner.number(of: 2)
        else { return nil }
        let year = isNegative ? -years : years
        let days = daysSince1970(year, month, day)
        // A day that the month does not have is another one when it is counted back.
        guard day > 0, civil(days) == (year, month, day) else { return nil }
        var seconds: Int64 = 0
        var fraction: Int64 = 0
        if scanner.skip("T") || scanner.skip("t") || scanner.skip(" ") {
            guard let time = scanner.time() else { return nil }
            (seconds, fraction) = time
            guard let offset = scanner.offset() else { return nil }
            seconds -= offset
        }
        guard scanner.rest.isEmpty else { return nil }
        let (whole, overflows) = (days * 86_400 + seconds).multipliedReportingOverflow(
            by: 1_000_000
        )
        let (sum, overflowsToo) = whole.addingReportingOverflow(fraction)
        return overflows || overflowsToo ? nil : sum
    }

    private static func floorDivided(_ number: Int64, by divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }

    /// Returns the days from 1 January 1970 to a day of the Gregorian calendar, extended to all years.
    ///
    /// Howard Hinnant's algorithm: years begin in March, so that a leap day is the last of its year, and are counted in
    /// eras of 400 years, which have 146,097 days each (https://howardhinnant.github.io/date_algorithms.html).
    static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = floorDivided(year, by: 400)
        let ofEra = year - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    /// Returns the day of the Gregorian calendar so many days after 1 January 1970, by the same algorithm backwards.
    static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floorDivided(shifted, by: 146_097)
        let ofEra = shifted - era * 146_097
        let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let isNextYear = month >= 10
        return (
            year + era * 400 + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
            ofYear - (153 * month + 2) / 5 + 1
        )
    }
}

/// Reads the parts of a text in order.
private struct Scanner {
    var rest: Slice<UnsafeRawBufferPointer>

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Passes the next digit, if one comes next, and returns its value.
    mutating func digit() -> Int64? {
        guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
            return nil
        }
        rest.removeFirst()
        return Int64(byte - UInt8(ascii: "0"))
    }

    /// Passes a number of at least one digit and at most so many, and returns how many it has.
    mutating func number(upTo width: Int) -> (Int64, width: Int)? {
        var number: Int64 = 0
        var count = 0
        while count < width, let digit = digit() {
            number = number * 10 + digit
            count += 1
        }
        return count == 0 ? nil : (number, count)
    }

    mutating func number(of width: Int) -> Int64? {
        guard let (number, count) = number(upTo: width), count == width else { return nil }
        return number
    }

    /// Passes a time of a day and returns its seconds and microseconds; nil for what is none.
    mutating func time() -> (seconds: Int64, microseconds: Int64)? {
        guard let hour = number(of: 2), skip(":"), let minute = number(of: 2), minute < 60 else {
            return nil
        }
        var second: Int64 = 0
        var fraction: Int64 = 0
        if skip(":") {
            // A leap second is the first of the next minute.
            guard let number = number(of: 2), number <= 60 else { return nil }
            second = number
            if skip(".") || skip(",") {
                guard let first = digit() else { return nil }
                fraction = first * 100_000
                var power: Int64 = 10_000
                while let digit = digit() {
                    fraction += power > 0 ? digit * power : power == 0 && digit >= 5 ? 1 : 0
                    power = power > 0 ? power / 10 : -1
                }
            }
        }
        let seconds = (hour * 60 + minute) * 60 + second
        // The end of a day is the beginning of the next.
        guard hour < 24 || seconds == 86_400 && fraction == 0 else { return nil }
        return (seconds, fraction)
    }

    /// Passes a zone and returns how many seconds it is ahead of UTC: none where there is no zone; nil for what is no
    /// zone.
    mutating func offset() -> Int64? {
        if rest.isEmpty || skip("Z") || skip("z") { return 0 }
        let isBehind = skip("-")
        guard isBehind || skip("+"), let hours = number(of: 2), hours < 24 else { return nil }
        var minutes: Int64 = 0
        if skip(":") || !rest.isEmpty {
            guard let number = number(of: 2), number < 60 else { return nil }
            minutes = number
        }
        return (isBehind ? -1 : 1) * (hours * 60 + minutes) * 60
    }
}

extension ColumnFormat: CustomStringConvertible {
    /// The format as Swift declares it: `.iso8601`, `.integer(fractionDigits: 2)`.
    public var description: String {
        switch self {
        case .iso8601: return ".iso8601"
        case .dateTime: return ".dateTime"
        default: break
        }
        switch kind {
        case .instantText(let digits, isISO8601: true, let hasZone):
            return ".iso8601(fractionDigits: \(digits)\(hasZone ? "" : ", hasZone: false"))"
        case .instantText(let digits, isISO8601: false, _):
            return ".dateTime(fractionDigits: \(digits))"
        case .day: return ".day"
        case .unitsSince1970(let unit):
            return unit == 1_000 ? ".millisecondsSince1970" : ".secondsSince1970"
        case .interval(let start):
            return start == 0 ? ".timeIntervalSince1970" : ".timeIntervalSinceReferenceDate"
        case .julianDay: return ".julianDay"
        case .uuidText(let isUppercase): return isUppercase ? ".uppercaseText" : ".lowercaseText"
        case .plainText: return ".text"
        case .words(let yes, let no):
            return ".text(true: \(yes.debugDescription), false: \(no.debugDescription))"
        case .real: return ".real"
        case .integer(let digits): return ".integer(fractionDigits: \(digits))"
        case .data: return ".data"
        }
    }
}

// The name of a format in a store's notes, which stays the same from one version to the next.
extension ColumnFormat {
    /// The name under which a store notes the format: `iso8601-0`, `dateTime-3`, `integer-2`.
    package var name: String {
        switch kind {
        case .instantText(let digits, isISO8601: true, let hasZone):
            "iso8601-\(digits)\(hasZone ? "" : "-local")"
        case .instantText(let digits, isISO8601: false, _): "dateTime-\(digits)"
        case .day: "day"
        case .unitsSince1970(let microseconds): "since1970-\(microseconds)"
        case .interval(let seconds): "interval-\(seconds)"
        case .julianDay: "julianDay"
        case .uuidText(let isUppercase): isUppercase ? "uppercase" : "lowercase"
        case .plainText: "text"
        case .words(let yes, let no): "text-\(FieldForm.coded(yes))-\(FieldForm.coded(no))"
        case .real: "real"
        case .integer(let digits): "integer-\(digits)"
        case .data: "data"
        }
    }

    /// Creates the format of a name; nil for what is none.
    init?(named name: some StringProtocol) {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().map { Int64($0) }
        switch (parts[0], numbers.count) {
        case ("iso8601", 1...2):
            guard let digits = numbers[0], parts.count == 2 || parts[2] == "local" else {
                return nil
            }
            self = .iso8601(fractionDigits: Int(digits), hasZone: parts.count == 2)
        case ("dateTime", 1):
            guard let digits = numbers[0] else { return nil }
            self = .dateTime(fractionDigits: Int(digits))
        case ("day", 0): self = .day
        case ("since1970", 1):
            guard let unit = numbers[0], [1_000, 1_000_000].contains(unit) else { return nil }
            self.init(kind: .unitsSince1970(unit))
        case ("interval", 1):
            guard let start = numbers[0], [0, 978_307_200].contains(start) else { return nil }
            self.init(kind: .interval(since: start))
        case ("julianDay", 0): self = .julianDay
        case ("uppercase", 0): self = .uppercaseText
        case ("lowercase", 0): self = .lowercaseText
        case ("text", 0): self = .text
        case ("text", 2):
            self = .text(
                true: FieldForm.decoded(parts[1].utf8),
                false: FieldForm.decoded(parts[2].utf8)
            )
        case ("real", 0): self = .real
        case ("integer", 1):
            guard let digits = numbers[0] else { return nil }
            self = .integer(fractionDigits: Int(digits))
        case ("data", 0): self = .data
        default: return nil
        }
    }
}

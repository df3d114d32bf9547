package import Foundation

// From a field's value to what a column of the format holds, and back.
extension ColumnFormat {
    /// Returns the field's value, given what a column holds; nil for what is no value of the format.
    public func value(ofStored stored: Slot) -> StorageValue? {
        switch kind {
        case .instantText, .day:
            guard stored.kind == .text else { return nil }
            return Self.instant(InstantText.microseconds(stored.bytes))
        case .unitsSince1970(let unit):
            guard let whole = stored.wholeNumber else { return nil }
            let (instant, overflows) = whole.multipliedReportingOverflow(by: unit)
            return overflows ? nil : Self.instant(instant)
        case .interval(let start):
            return stored.realNumber.flatMap { Self.instant(Self.microseconds($0, after: start)) }
        case .julianDay:
            guard let days = stored.realNumber else { return nil }
            let milliseconds = ((days - Self.julianDayOf1970) * 86_400_000).rounded()
            guard let whole = Int64(exactly: milliseconds) else { return nil }
            let (instant, overflows) = whole.multipliedReportingOverflow(by: 1_000)
            return overflows ? nil : Self.instant(instant)
        case .uuidText(let isUppercase):
            guard stored.kind == .text else { return nil }
            return Self.uuid(stored.bytes, isUppercase: isUppercase).map { .data($0) }
        case .plainText:
            guard stored.kind == .text else { return nil }
            // Decimals are asked for far more often, and no number is one of the two words.
            if let form = OrderedDecimal.encode(stored.text) { return .data(form) }
            return Self.boolean(stored.bytes, "true", "false")
        case .words(let yes, let no):
            return stored.kind == .text ? Self.boolean(stored.bytes, yes, no) : nil
        case .real:
            if stored.kind == .integer {
                return OrderedDecimal.encode("\(stored.integer)").map { .data($0) }
            }
            guard let number = stored.realNumber, number.isFinite else { return nil }
            return OrderedDecimal.encode("\(number)").map { .data($0) }
        case .integer(let digits):
            guard let whole = stored.wholeNumber else { return nil }
            return OrderedDecimal.encode("\(whole)e-\(digits)").map { .data($0) }
        case .data:
            guard stored.kind == .data, !stored.bytes.contains(0) else { return nil }
            return String(bytes: stored.bytes, encoding: .utf8).map { .text($0) }
        }
    }

    /// Returns what a column holds of a field's value, the finer parts of which it leaves out; nil for a value that it
    /// cannot hold.
    public func stored(_ value: Slot) -> StorageValue? {
        switch (kind, value.kind) {
        case (_, .null): return .null
        case (.instantText(let digits, let isISO8601, let hasZone), .integer):
            let style = InstantText.Style(
                separator: isISO8601 ? UInt8(ascii: "T") : UInt8(ascii: " "),
                fractionDigits: digits,
                hasZone: hasZone
            )
            return .text(InstantText.text(value.integer, style))
        case (.day, .integer):
            return .text(InstantText.text(value.integer, InstantText.Style(separator: nil)))
        case (.unitsSince1970(let unit), .integer): return .integer(value.integer / unit)
        case (.interval(let start), .integer):
            return .real(Self.interval(value.integer, after: start))
        case (.julianDay, .integer):
            return .real(Double(value.integer / 1_000) / 86_400_000 + Self.julianDayOf1970)
        case (.uuidText(let isUppercase), .data):
            guard value.length == 16 else { return nil }
            let text = UUID(uuid: value.bytes.loadUnaligned(as: uuid_t.self)).uuidString
            return .text(isUppercase ? text : text.lowercased())
        case (.plainText, .data):
            return OrderedDecimal.decode(value.bytes).map { .text("\($0)") }
        case (.plainText, .integer): return .text(value.integer == 0 ? "false" : "true")
        case (.words(let yes, let no), .integer): return .text(value.integer == 0 ? no : yes)
        case (.real, .data):
            return OrderedDecimal.decode(value.bytes).flatMap { Double("\($0)") }.map { .real($0) }
        case (.integer(let digits), .data):
            guard let number = OrderedDecimal.decode(value.bytes) else { return nil }
            return Self.units(number.rounded(to: digits), digits).map { .integer($0) }
        case (.data, .text): return .data(Array(value.bytes))
        default: return nil
        }
    }

    /// Returns a constant as the bare column is tested for equality with it, where ``comparesAsStored`` holds.
    ///
    /// One between two values of the column is a number that no column of whole numbers holds.
    public func compared(_ value: Slot) -> StorageValue? {
        switch (kind, value.kind) {
        case (.unitsSince1970(let unit), .integer):
            return value.integer % unit == 0 ? .integer(value.integer / unit) : .real(0.5)
        case (.integer(let digits), .data):
            guard let number = OrderedDecimal.decode(value.bytes) else { return nil }
            return Self.units(number, digits).map { .integer($0) } ?? .real(0.5)
        default: return stored(value)
        }
    }

    /// Returns the greatest value of the bare column that is no more than a constant, where ``comparesAsStored`` holds.
    public func floored(_ value: Slot) -> StorageValue? { limit(value, .down) }

    /// Returns the smallest value of the bare column that is no less than a constant, where ``comparesAsStored`` holds.
    public func ceiled(_ value: Slot) -> StorageValue? { limit(value, .up) }

    private func limit(_ value: Slot, _ mode: Decimal.RoundingMode) -> StorageValue? {
        switch (kind, value.kind) {
        case (.unitsSince1970(let unit), .integer):
            let (whole, rest) = value.integer.quotientAndRemainder(dividingBy: unit)
            let isDown = mode == .down
            return .integer(
                isDown ? (rest < 0 ? whole - 1 : whole) : (rest > 0 ? whole + 1 : whole)
            )
        case (.integer(let digits), .data):
            guard let number = OrderedDecimal.decode(value.bytes) else { return nil }
            let units = Self.units(number.rounded(to: digits, mode), digits)
            // Beyond all whole numbers on either side.
            return units.map { .integer($0) } ?? .real(number < 0 ? -1e300 : 1e300)
        default: return stored(value)
        }
    }

    /// Returns what is kept of a value in a form that reads back different; nil where it is kept as it is.
    ///
    /// - Throws: `RangeError` for a value that a column of the format cannot hold.
    func rounded(_ value: Slot) throws(RangeError) -> StorageValue? {
        switch (kind, value.kind) {
        case (.instantText(let digits, _, _), .integer):
            var step: Int64 = 1
            for _ in digits..<6 { step *= 10 }
            return try Self.rounded(value.integer, to: step)
        case (.unitsSince1970(let step), .integer): return try Self.rounded(value.integer, to: step)
        case (.julianDay, .integer):
            // Far from now a number has too few digits for a millisecond.
            let rounded = try Self.rounded(value.integer, to: 1_000) ?? .integer(value.integer)
            let stored = rounded.withSlot { self.stored($0) }
            let read = stored?.withSlot { self.value(ofStored: $0) }
            guard let read = read ?? nil else { throw RangeError() }
            return read.withSlot { Slot.compare($0, value) } == 0 ? nil : read
        case (.day, .integer):
            let day = InstantText.microsecondsOfDay
            let rest = value.integer % day
            if rest == 0 { return nil }
            return .integer(value.integer - (rest < 0 ? rest + day : rest))
        case (.interval, .integer), (.real, .data), (.integer, .data):
            if case .integer(let digits) = kind {
                // The unit that is nearest, which may have no room.
                let number = OrderedDecimal.decode(value.bytes)
                guard number.flatMap({ Self.units($0.rounded(to: digits), digits) }) != nil else {
                    throw RangeError()
                }
            }
            let read = stored(value)?.withSlot { self.value(ofStored: $0) }
            guard let read = read ?? nil else { throw RangeError() }
            return read.withSlot { Slot.compare($0, value) } == 0 ? nil : read
        default: return nil
        }
    }

    /// A value that a column of a format cannot hold.
    struct RangeError: Error {}

    private static let julianDayOf1970 = 2_440_587.5

    private static func instant(_ microseconds: Int64?) -> StorageValue? {
        guard let microseconds, Date.isStorable(microseconds) else { return nil }
        return .integer(microseconds)
    }

    /// Rounds a point in time to a multiple of so many microseconds, half of one away from 1970.
    private static func rounded(
        _ instant: Int64,
        to step: Int64
    ) throws(RangeError) -> StorageValue? {
        let rest = instant % step
        if rest == 0 { return nil }
        let isAway = rest.magnitude * 2 >= step.magnitude
        let (rounded, overflows) = (instant - rest)
            .addingReportingOverflow(isAway ? step * rest.signum() : 0)
        guard !overflows, Date.isStorable(rounded) else { throw RangeError() }
        return .integer(rounded)
    }

    /// Seconds and the rest apart: the product with a million would be rounded once too often.
    private static func microseconds(_ interval: Double, after start: Int64) -> Int64? {
        guard interval.isFinite, abs(interval) < 9.3e12 else { return nil }
        let seconds = Int64(interval)
        let rest = Int64(((interval - Double(seconds)) * 1_000_000).rounded())
        let (whole, overflows) = (seconds + start).multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflowsToo) = whole.addingReportingOverflow(rest)
        return overflows || overflowsToo ? nil : sum
    }

    private static func interval(_ instant: Int64, after start: Int64) -> Double {
        let (seconds, rest) = instant.quotientAndRemainder(dividingBy: 1_000_000)
        return Double(seconds - start) + Double(rest) / 1_000_000
    }

    private static func boolean(
        _ bytes: UnsafeRawBufferPointer,
        _ yes: String,
        _ no: String
    ) -> StorageValue? {
        if bytes.elementsEqual(yes.utf8) { return .integer(1) }
        return bytes.elementsEqual(no.utf8) ? .integer(0) : nil
    }

    /// Returns how many units of so many digits after the point a number is; nil where it is no whole number of them,
    /// or has no room in 64 bits.
    private static func units(_ number: Decimal, _ digits: Int) -> Int64? {
        var number = number
        var units = Decimal()
        guard NSDecimalMultiplyByPowerOf10(&units, &number, Int16(digits), .plain) == .noError
        else { return nil }
        return Int64("\(units)")
    }

    /// Returns the bytes of a UUID's text in one case; nil for any other text.
    private static func uuid(_ text: UnsafeRawBufferPointer, isUppercase: Bool) -> [UInt8]? {
        guard text.count == 36 else { return nil }
        let letters = isUppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        var high: UInt8?
        for (position, character) in text.enumerated() {
            if [8, 13, 18, 23].contains(position) {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case letters...letters + 5: digit = character - letters + 10
            default: return nil
            }
            if let left = high {
                bytes.append(left << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}

extension Slot {
    /// The number without a fraction; nil for what is none, or has no room in 64 bits.
    fileprivate var wholeNumber: Int64? {
        switch kind {
        case .integer: integer
        case .real: Int64(exactly: real)
        default: nil
        }
    }

    fileprivate var realNumber: Double? {
        switch kind {
        case .integer: Double(integer)
        case .real: real
        default: nil
        }
    }
}

extension Decimal {
    /// Returns the number with so many digits after the point at most; by default half of the last one goes away from
    /// zero.
    package func rounded(to digits: Int, _ mode: RoundingMode = .plain) -> Decimal {
        var number = self
        var rounded = Decimal()
        NSDecimalRound(&rounded, &number, digits, mode)
        return rounded
    }
}

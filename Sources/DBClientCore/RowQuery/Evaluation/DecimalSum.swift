/// An exact sum of decimals, however far apart they are.
///
/// It is kept as nine digits a limb, the limbs added up each for itself; what they carry is left for the
/// end.
public struct DecimalSum: Sendable {
    private static let limbDigits = 9
    private static let limbRange: Int64 = 1_000_000_000
    private static let tens = (0...limbDigits).map { UInt128(pow10($0)) }

    /// The digits of the sum in base 10⁹, the lowest limb first.
    private var limbs: [Int64] = []
    /// The place of the lowest limb, which counts as a power of 10⁹.
    private var lowest = 0
    /// The additions since the limbs were last in their range, of which `Int64` has room for nine thousand
    /// million.
    private var additions: UInt16 = 0
    /// Whether something added was no decimal.
    private(set) var isDamaged = false

    /// Creates the sum of nothing: zero.
    public init() {}

    /// Adds a decimal in the form of ``OrderedDecimal``.
    ///
    /// Bytes that are none leave no sum.
    public mutating func add(_ form: UnsafeRawBufferPointer) {
        add(form, isTaken: false)
    }

    /// Takes a decimal away that was added.
    mutating func remove(_ form: UnsafeRawBufferPointer) {
        add(form, isTaken: true)
    }

    private mutating func add(_ form: UnsafeRawBufferPointer, isTaken: Bool) {
        guard OrderedDecimal.isForm(form) else {
            isDamaged = true
            return
        }
        if form[0] == 1 { return }
        let mask: UInt8 = form[0] == 0 ? 0xFF : 0
        let exponent = (Int(form[1] ^ mask) << 8 | Int(form[2] ^ mask)) - 0x8000
        let pairs = form[3..<form.count - 1]
        // Nineteen pairs at most: less than 10³⁸.
        let digits = pairs.reduce(0 as UInt128) { $0 * 100 + UInt128(($1 ^ mask) - 1) }
        add(digits, power: exponent - 2 * pairs.count, isNegative: (mask != 0) != isTaken)
    }

    /// Adds `digits` × 10ᵖᵒʷᵉʳ to the sum.
    private mutating func add(_ digits: UInt128, power: Int, isNegative: Bool) {
        var place = power / Self.limbDigits
        if power % Self.limbDigits < 0 { place -= 1 }
        let shift = power - place * Self.limbDigits
        var (rest, part) = digits.quotientAndRemainder(
            dividingBy: Self.tens[Self.limbDigits - shift]
        )
        part *= Self.tens[shift]
        while true {
            reserve(place)
            limbs[place - lowest] += isNegative ? -Int64(part) : Int64(part)
            if rest == 0 { break }
            (rest, part) = rest.quotientAndRemainder(dividingBy: Self.tens[Self.limbDigits])
            place += 1
        }
        additions &+= 1
        if additions == 0 { carry() }
    }

    /// Makes sure that there is a limb at a place.
    private mutating func reserve(_ place: Int) {
        if limbs.isEmpty { lowest = place }
        if place < lowest {
            limbs.insert(contentsOf: repeatElement(0, count: lowest - place), at: 0)
            lowest = place
        }
        while limbs.count <= place - lowest { limbs.append(0) }
    }

    /// Brings every limb into its range but the uppermost, which has the sign.
    private mutating func carry() {
        var carried: Int64 = 0
        for index in limbs.indices {
            limbs[index] += carried
            carried = limbs[index] / Self.limbRange
            if limbs[index] % Self.limbRange < 0 { carried -= 1 }
            limbs[index] -= carried * Self.limbRange
        }
        if carried != 0 { limbs.append(carried) }
        // The sign of a sum that is kept for long would take one more limb each time.
        while limbs.count > 1, limbs[limbs.count - 1] == -1,
            limbs[limbs.count - 2] == Self.limbRange - 1
        {
            limbs.removeLast()
            limbs[limbs.count - 1] = -1
        }
    }

    /// The sign, the digits without zeros on either side, and the exponent E of 0.d₁d₂… × 10ᴱ; no digits
    /// for zero.
    private var parts: (isNegative: Bool, digits: [UInt8], exponent: Int) {
        var sum = self
        sum.carry()
        let isNegative = (sum.limbs.last ?? 0) < 0
        if isNegative {
            for index in sum.limbs.indices { sum.limbs[index].negate() }
            sum.carry()
        }
        var digits: [UInt8] = []
        for limb in sum.limbs.reversed() {
            var unit = Self.limbRange
            while unit > 1 {
                unit /= 10
                digits.append(UInt8(limb / unit % 10))
            }
        }
        let leading = digits.prefix { $0 == 0 }.count
        let exponent = sum.lowest * Self.limbDigits + digits.count - leading
        digits.removeFirst(leading)
        while digits.last == 0 { digits.removeLast() }
        return (isNegative, digits, exponent)
    }

    /// The sum in the form of ``OrderedDecimal``, with as many digits as it has; nil when something added
    /// was no decimal.
    public var form: [UInt8]? {
        if isDamaged { return nil }
        let (isNegative, digits, exponent) = parts
        return OrderedDecimal.form(isNegative: isNegative, digits: digits, exponent: exponent)
    }

    /// The sum as a value; nil when no `Decimal` is it.
    public var value: StorageValue? {
        guard let form, form.withUnsafeBytes(OrderedDecimal.isForm) else { return nil }
        return .data(form)
    }

    /// Returns the average of a number of decimals: the exact sum, rounded to a double and divided; nil when
    /// something added was no decimal.
    public func divided(by count: Int) -> Double? {
        if isDamaged { return nil }
        let (isNegative, digits, exponent) = parts
        if digits.isEmpty { return 0 }
        let text = String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
        return Double("\(isNegative ? "-" : "")\(text)e\(exponent - digits.count)")
            .map { $0 / Double(count) }
    }
}

private func pow10(_ exponent: Int) -> Int64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
}

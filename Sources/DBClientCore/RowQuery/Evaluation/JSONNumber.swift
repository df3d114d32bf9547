/// Numbers as they are written in JSON.
enum JSONNumber {
    /// Returns the number if it is whole and one of `Int64`, however it is written: `1`, `1.0` and `10e-1` are the same.
    static func integer(_ json: UnsafeRawBufferPointer) -> Int64? {
        guard let parts = Parts(json) else { return nil }
        var value: Int64 = 0
        let zeros = parts.power
        if parts.digits.isEmpty { return 0 }
        guard zeros >= 0, parts.digits.count + zeros <= 19 else { return nil }
        // Below zero there is one number more.
        for digit in parts.digits + [UInt8](repeating: 0, count: zeros) {
            let (tens, leaves) = value.multipliedReportingOverflow(by: 10)
            let (rest, leavesToo) = tens.subtractingReportingOverflow(Int64(digit))
            if leaves || leavesToo { return nil }
            value = rest
        }
        if parts.isNegative { return value }
        return value == .min ? nil : -value
    }

    /// Returns the nearest number of a type of reals; nil beyond the greatest, and for what is nearest to zero but not
    /// zero.
    static func real<Value: LosslessStringConvertible & BinaryFloatingPoint>(
        _ json: UnsafeRawBufferPointer,
        as type: Value.Type
    ) -> Double? {
        guard let parts = Parts(json),
            let value = Value(String(decoding: json, as: UTF8.self)), value.isFinite
        else { return nil }
        if value == 0 { return parts.digits.isEmpty ? 0 : nil }
        return Double(value)
    }

    /// Returns whether the text is a number.
    static func isNumber(_ json: UnsafeRawBufferPointer) -> Bool { Parts(json) != nil }

    /// A number as its significant digits, none of them for zero, times a power of ten.
    private struct Parts {
        var digits: [UInt8] = []
        var power = 0
        let isNegative: Bool

        init?(_ json: UnsafeRawBufferPointer) {
            isNegative = json.first == UInt8(ascii: "-")
            var position = isNegative ? 1 : 0
            var hasPoint = false
            let start = position
            while position < json.count {
                switch json[position] {
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    let digit = json[position] - UInt8(ascii: "0")
                    if digit != 0 || !digits.isEmpty { digits.append(digit) }
                    if hasPoint { power -= 1 }
                case UInt8(ascii: ".") where !hasPoint && position > start: hasPoint = true
                case UInt8(ascii: "e"), UInt8(ascii: "E"):
                    let exponent = String(decoding: json[(position + 1)...], as: UTF8.self)
                    guard position > start, let exponent = Int(exponent),
                        exponent.magnitude < 1 << 32
                    else { return nil }
                    power += exponent
                    position = json.count
                default: return nil
                }
                position += 1
            }
            if start == json.count { return nil }
            while digits.last == 0 {
                digits.removeLast()
                power += 1
            }
        }
    }
}

import Foundation

/// The check of the JSON text of a value before it is stored, which finds whether it differs from the value.
///
/// Used by one thread, for one value.
final class JSONNormalization: @unchecked Sendable {
    /// Whether what is read back is another value than what was given: a date was rounded, or a negative
    /// zero became zero.
    var differs = false

    /// The greatest depth of nested values: decoders have a limit, and every engine must refuse alike.
    static let maximumNesting = 64

    /// Returns JSON text with every number that is a negative zero written as zero, its equal.
    ///
    /// - Throws: `DBClientError` with code `.invalidValue` for a number that is none, which `Decimal`
    ///   writes as `NaN`, and for text nested too deep.
    func checked(_ json: Data) throws -> Data {
        let zeros = try json.withUnsafeBytes { try Self.negativeZeros($0) }
        if zeros.isEmpty { return json }
        differs = true
        var result = Data(capacity: json.count)
        var position = 0
        for zero in zeros {
            result.append(json[json.startIndex + position..<json.startIndex + zero.lowerBound])
            result.append(UInt8(ascii: "0"))
            position = zero.upperBound
        }
        result.append(json[(json.startIndex + position)...])
        return result
    }

    /// Returns the byte ranges of numbers that are a negative zero, outside of strings.
    private static func negativeZeros(_ json: UnsafeRawBufferPointer) throws -> [Range<Int>] {
        var zeros: [Range<Int>] = []
        var depth = 0
        var position = 0
        while position < json.count {
            switch json[position] {
            case UInt8(ascii: "\""):
                position = endOfText(json, from: position + 1)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > maximumNesting {
                    throw DBClientError(
                        .invalidValue,
                        "A JSON value must be nested at most \(maximumNesting) deep."
                    )
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
            case UInt8(ascii: "N"):
                throw DBClientError(.invalidValue, "A JSON number must not be NaN.")
            case UInt8(ascii: "-"):
                let end = json[position...].firstIndex { !"+-.0123456789eE".utf8.contains($0) }
                let number = position..<(end ?? json.count)
                if json[number].prefix(while: { $0 | 0x20 != UInt8(ascii: "e") })
                    .allSatisfy({ "-.0".utf8.contains($0) })
                {
                    zeros.append(number)
                }
                position = number.upperBound - 1
            default: break
            }
            position += 1
        }
        return zeros
    }

    /// Returns the position of the quote that ends a text.
    private static func endOfText(_ json: UnsafeRawBufferPointer, from start: Int) -> Int {
        var position = start
        while position < json.count, json[position] != UInt8(ascii: "\"") {
            position += json[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return position
    }
}

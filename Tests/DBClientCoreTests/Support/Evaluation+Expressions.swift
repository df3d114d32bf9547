import DBClientCore

/// There is no such number.
struct NoValue: Error {}

extension Evaluation {
    /// Returns the value of an expression for a row, whose fields tell their types.
    ///
    /// - Throws: `NoValue` where there is none.
    static func value(of expression: RowExpression, for row: [StorageValue]) throws -> StorageValue
    {
        switch expression {
        case .field(let column): return row[column]
        case .constant(let value, _): return value
        case .choice(let condition, let value, let other):
            return try self.value(of: answer(condition, for: row) ? value : other, for: row)
        case .firstPresent(let operands):
            for operand in operands {
                let value = try value(of: operand, for: row)
                if !value.isNull { return value }
            }
            return .null
        case .function(let function, let type, let operands):
            let values = try operands.map { try value(of: $0, for: row) }
            var result = values[0]
            if values.count == 1 {
                return result.isNull ? .null : try one(function, result, type)
            }
            for value in values.dropFirst() {
                result =
                    result.isNull || value.isNull ? .null : try two(function, result, value, type)
            }
            return result
        }
    }

    private static func one(
        _ function: RowFunction,
        _ value: StorageValue,
        _ type: FieldType
    ) throws -> StorageValue {
        switch (function, value) {
        case (.negate, .integer(let number)): return try kept(-Int128(number), type)
        case (.negate, .real(let number)): return try kept(-finite(number), type)
        case (.magnitude, .integer(let number)): return try kept(Swift.abs(Int128(number)), type)
        case (.magnitude, .real(let number)): return try kept(Swift.abs(finite(number)), type)
        case (.convert, .integer(let number)):
            if type == .double { return .real(Double(number)) }
            return try type == .float ? .real(Double(Float(number))) : kept(Int128(number), type)
        case (.convert, .real(let number)):
            let number = try finite(number)
            if type == .double { return value }
            if type == .float {
                let single = Double(Float(number))
                if single == 0 && number != 0 { throw NoValue() }
                return try kept(single, type)
            }
            guard Swift.abs(number) < 1e30 else { throw NoValue() }
            return try kept(Int128(number), type)
        case (.lowercased, .text(let text)): return .text(mapped(text, "A"..."Z", 32))
        case (.uppercased, .text(let text)): return .text(mapped(text, "a"..."z", -32))
        case (.count, .text(let text)):
            return .integer(Int64(text.unicodeScalars.count))
        case (.count, .data(let bytes)): return .integer(Int64(bytes.count))
        default: return value
        }
    }

    private static func mapped(
        _ text: String,
        _ range: ClosedRange<Unicode.Scalar>,
        _ distance: Int
    ) -> String {
        var mapped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let moved = UInt32(Int(scalar.value) + (range.contains(scalar) ? distance : 0))
            mapped.append(Unicode.Scalar(moved) ?? scalar)
        }
        return String(mapped)
    }

    private static func two(
        _ function: RowFunction,
        _ left: StorageValue,
        _ right: StorageValue,
        _ type: FieldType
    ) throws -> StorageValue {
        switch (function, left, right) {
        case (.least, .real(let left), .real(let right)):
            return .real(Swift.min(try finite(left), try finite(right)))
        case (.greatest, .real(let left), .real(let right)):
            return .real(Swift.max(try finite(left), try finite(right)))
        case (.least, _, _): return order(left, right) <= 0 ? left : right
        case (.greatest, _, _): return order(left, right) >= 0 ? left : right
        case (.join, .text(let left), .text(let right)):
            return .text(
                String(String.UnicodeScalarView(left.unicodeScalars + right.unicodeScalars))
            )
        case (_, .integer(let left), .integer(let right)):
            return try kept(number(function, Int128(left), Int128(right)), type)
        case (_, .real(let left), .real(let right)):
            let (left, right) = (try finite(left), try finite(right))
            let result: Double
            switch function {
            case .add: result = left + right
            case .subtract: result = left - right
            case .multiply: result = left * right
            default: result = left / right
            }
            let isProduct = function == .multiply && left != 0 && right != 0
            if result == 0 && (isProduct || function == .divide && left != 0) { throw NoValue() }
            return try kept(result, type)
        default: throw NoValue()
        }
    }

    private static func number(
        _ function: RowFunction,
        _ left: Int128,
        _ right: Int128
    ) throws -> Int128 {
        switch function {
        case .add: return left + right
        case .subtract: return left - right
        case .multiply: return left * right
        default:
            if right == 0 { throw NoValue() }
            return function == .divide ? left / right : left % right
        }
    }

    private static func finite(_ number: Double) throws -> Double {
        if number.isInfinite || number.isNaN { throw NoValue() }
        return number
    }

    private static func kept(_ number: Double, _ type: FieldType) throws -> StorageValue {
        .real(try finite(type == .float ? Double(Float(number)) : number) + 0)
    }

    private static func kept(_ number: Int128, _ type: FieldType) throws -> StorageValue {
        let isKept =
            switch type {
            case .integer(8, true): Int8(exactly: number) != nil
            case .integer(16, true): Int16(exactly: number) != nil
            case .integer(32, true): Int32(exactly: number) != nil
            case .integer(8, false): UInt8(exactly: number) != nil
            case .integer(16, false): UInt16(exactly: number) != nil
            case .integer(32, false): UInt32(exactly: number) != nil
            case .integer(64, false): number >= 0
            default: true
            }
        guard isKept, let integer = Int64(exactly: number) else { throw NoValue() }
        return .integer(integer)
    }
}

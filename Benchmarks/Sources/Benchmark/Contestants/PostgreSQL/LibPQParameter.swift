/// A parameter in the server's binary form.
enum LibPQParameter {
    case null
    case integer(Int)
    case real(Double)
    case boolean(Bool)
    case text(String)

    /// Calls a body with the arrays that libpq wants.
    @inline(__always)
    static func with<Value>(
        _ parameters: [LibPQParameter],
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?,
            UnsafePointer<Int32>?
        ) throws -> Value
    ) rethrows -> Value {
        try withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 8) { memory in
            var values: [UnsafePointer<CChar>?] = []
            var lengths: [Int32] = []
            var used = 0
            for parameter in parameters {
                let start = memory.baseAddress! + used
                let count: Int
                switch parameter {
                case .null: count = -1
                case .integer(let value):
                    start.storeBytes(of: Int64(value).bigEndian, as: Int64.self)
                    count = 8
                case .real(let value):
                    start.storeBytes(of: value.bitPattern.bigEndian, as: UInt64.self)
                    count = 8
                case .boolean(let value):
                    start.storeBytes(of: value ? 1 : 0, as: UInt8.self)
                    count = 1
                case .text(var text):
                    count = text.withUTF8 { bytes in
                        start.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
                        return bytes.count
                    }
                }
                values.append(
                    count < 0 ? nil : UnsafePointer(start.assumingMemoryBound(to: CChar.self))
                )
                lengths.append(Int32(max(count, 0)))
                used += (max(count, 0) + 7) & ~7
            }
            let formats = [Int32](repeating: 1, count: parameters.count)
            return try body(Int32(parameters.count), values, lengths, formats)
        }
    }
}

/// A buffer to which values are appended in network byte order.
struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func put(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func replace(_ value: Int32, at position: Int) {
        withUnsafeBytes(of: value.bigEndian) { source in
            for (offset, byte) in source.enumerated() { bytes[position + offset] = byte }
        }
    }
}

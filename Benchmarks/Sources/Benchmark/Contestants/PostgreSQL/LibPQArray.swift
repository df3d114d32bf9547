/// An array in the server's binary form.
struct LibPQArray {
    private var bytes: [UInt8] = []

    /// Begins an array of so many elements of a type, by its object identifier.
    init(element: Int32, count: Int) {
        bytes.reserveCapacity(20 + count * 24)
        for word in [1, 0, element, Int32(count), 1] { put(word) }
    }

    private mutating func put(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Adds a whole number.
    mutating func append(_ value: Int) {
        put(Int32(8))
        put(Int64(value))
    }

    /// Adds a text.
    mutating func append(_ text: String) {
        put(Int32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try bytes.withUnsafeBytes(body)
    }
}

/// A run of the values that have a word, with where they have it.
///
/// It is how many they are; for more than one, the last value's number less the block's least; and for each of them, the
/// difference of its number from the one before, or from the block's least, and its payload. A payload is the number of words
/// of the value, how often it has the word, and for each time, where there are several fields, the difference of the field's
/// position, and the difference of the place in the field, the first one from zero. All numbers are of varying length, seven
/// bits a byte, the lowest first, and the high bit where another byte follows.
struct PostingBlock {
    /// A block of so many values or so many bytes is not made longer.
    static let maximumCount = 128
    static let maximumSize = 1_200

    private var bytes: [UInt8] = []
    /// The numbers of the values, ascending.
    private(set) var documents: [UInt64] = []
    private var ends: [Int32] = []
    private var starts: [Int32] = []
    private let fieldCount: Int

    init(fieldCount: Int) { self.fieldCount = fieldCount }

    var count: Int { documents.count }

    /// Takes the content of a block whose least number is known.
    ///
    /// - Throws: `.corrupt` for what no program wrote.
    mutating func read(_ value: UnsafeRawBufferPointer, from start: UInt64) throws {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: value)
        documents.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        let fieldCount = fieldCount
        try bytes.withUnsafeBytes { bytes in
            var input = VariableInput(bytes)
            let head = try PostingBlockHead(&input, from: start)
            var document = start
            for index in 0..<head.count {
                let (next, overflows) = document.addingReportingOverflow(try input.next())
                if overflows || index > 0 && next == document { throw VariableInput.damaged }
                document = next
                documents.append(document)
                starts.append(Int32(truncatingIfNeeded: input.position))
                try Self.pass(&input, fieldCount)
                ends.append(Int32(truncatingIfNeeded: input.position))
            }
            if !input.isAtEnd || head.count > 1 && head.last != document {
                throw VariableInput.damaged
            }
        }
    }

    /// Goes over a payload, checking what is read of it later.
    private static func pass(
        _ input: inout VariableInput,
        _ fieldCount: Int
    ) throws(DBClientError) {
        let length = try input.next()
        let count = try input.next()
        if count == 0 || count > length || length > 1 << 40 { throw VariableInput.damaged }
        var field: UInt64 = 0
        var place: UInt64 = 0
        for index in 0..<count {
            var isFirst = index == 0
            if fieldCount > 1 {
                let difference = try input.next()
                if difference > 0 {
                    (field, place, isFirst) = (field &+ difference, 0, true)
                    if difference >= fieldCount || field >= fieldCount {
                        throw VariableInput.damaged
                    }
                }
            }
            let difference = try input.next()
            if difference >= length || difference == 0 && !isFirst { throw VariableInput.damaged }
            place += difference
            if place >= length { throw VariableInput.damaged }
        }
    }

    /// The payload of a value.
    func payload(_ index: Int) -> ArraySlice<UInt8> { bytes[Int(starts[index])..<Int(ends[index])] }

    /// Returns how many words a value has.
    func length(_ index: Int) -> Int {
        bytes.withUnsafeBytes { bytes in
            var input = VariableInput(bytes, at: Int(starts[index]))
            return Int(truncatingIfNeeded: (try? input.next()) ?? 0)
        }
    }

    /// Calls a function with the field and the place of each time that a value has the word, ascending.
    func visit(_ index: Int, _ body: (Int, Int) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var input = VariableInput(bytes, at: Int(starts[index]))
            // It was gone over as a whole.
            _ = try? Self.visit(&input, fieldCount, body)
        }
    }

    private static func visit(
        _ input: inout VariableInput,
        _ fieldCount: Int,
        _ body: (Int, Int) -> Void
    ) throws(DBClientError) {
        _ = try input.next()
        var field = 0
        var place = 0
        for _ in 0..<(try input.next()) {
            if fieldCount > 1 {
                let difference = Int(truncatingIfNeeded: try input.next())
                if difference > 0 { (field, place) = (field + difference, 0) }
            }
            place += Int(truncatingIfNeeded: try input.next())
            body(field, place)
        }
    }

    /// Returns the position of the first value from a position on whose number is not less than another.
    func position(atLeast document: UInt64, from index: Int) -> Int {
        documents.withUnsafeBufferPointer { documents in
            var low = index
            var high = documents.count
            // The next ones are asked for most.
            if low < high, documents[low] >= document { return low }
            while low < high {
                let middle = (low + high) / 2
                if documents[middle] < document { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// Appends the payload of a value: how many words it has, and the field, in the upper half, and the place of each time.
    static func appendPayload(
        length: Int,
        _ places: some Collection<UInt64>,
        fieldCount: Int,
        to bytes: inout [UInt8]
    ) {
        bytes.append(variable: UInt64(length))
        bytes.append(variable: UInt64(places.count))
        var field: UInt64 = 0
        var last: UInt64 = 0
        for occurrence in places {
            if fieldCount > 1 {
                bytes.append(variable: occurrence >> 32 - field)
                if occurrence >> 32 > field { (field, last) = (occurrence >> 32, 0) }
            }
            let place = occurrence & 0xFFFF_FFFF
            bytes.append(variable: place - last)
            last = place
        }
    }
}

/// What a block begins with.
struct PostingBlockHead {
    let count: Int
    /// The number of the last value; of one alone, the block's least.
    let last: UInt64

    /// Reads it of a block whose least number is known.
    init(_ input: inout VariableInput, from start: UInt64) throws(DBClientError) {
        let count = try input.next()
        guard count > 0, count <= 1 << 20 else { throw VariableInput.damaged }
        self.count = Int(count)
        let (last, overflows) = start.addingReportingOverflow(count > 1 ? try input.next() : 0)
        if overflows { throw VariableInput.damaged }
        self.last = last
    }

    /// Appends the beginning of a block.
    static func append(_ count: Int, last: UInt64, from start: UInt64, to bytes: inout [UInt8]) {
        bytes.append(variable: UInt64(count))
        if count > 1 { bytes.append(variable: last - start) }
    }
}

/// Numbers of varying length, one after another.
struct VariableInput {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position: Int

    init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var isAtEnd: Bool { position == bytes.count }

    static var damaged: DBClientError { .searchIndexDamaged }

    /// Reads the next number.
    ///
    /// - Throws: `.corrupt` where there is none.
    @inline(__always)
    mutating func next() throws(DBClientError) -> UInt64 {
        guard position < bytes.count else { throw Self.damaged }
        let first = bytes[position]
        position += 1
        return first < 0x80 ? UInt64(first) : try rest(UInt64(first & 0x7F))
    }

    @inline(never)
    private mutating func rest(_ first: UInt64) throws(DBClientError) -> UInt64 {
        var number = first
        var shift: UInt64 = 7
        while true {
            guard position < bytes.count, shift < 64 else { throw Self.damaged }
            let byte = bytes[position]
            position += 1
            if shift == 63, byte > 1 { throw Self.damaged }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }
}

extension [UInt8] {
    /// Appends a number of varying length.
    @inline(__always)
    mutating func append(variable number: UInt64) {
        var number = number
        while number >= 0x80 {
            append(UInt8(truncatingIfNeeded: number) | 0x80)
            number >>= 7
        }
        append(UInt8(truncatingIfNeeded: number))
    }
}

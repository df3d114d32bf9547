import DBClientCore

/// A small entity with a field of each kind and a composite key, for random rows.
enum Sample {
    static let entity = Probe.schema.entity
    static let integer = 1
    static let real = 2
    static let text = 3
    static let list = 4
    static let data = 5

    /// Few different values, so that rows are often equal in a field.
    static func row(_ number: Int, using generator: inout SeededGenerator) -> [StorageValue] {
        [
            .integer(Int64(number)),
            Bool.random(using: &generator)
                ? .null : .integer(.random(in: -2...2, using: &generator)),
            Int.random(in: 0..<4, using: &generator) == 0
                ? .null : .real([-.infinity, -1, 0, 0.5, 3].randomElement(using: &generator) ?? 0),
            Int.random(in: 0..<4, using: &generator) == 0 ? .null : .text(word(using: &generator)),
            Int.random(in: 0..<4, using: &generator) == 0 ? .null : list(using: &generator),
            Int.random(in: 0..<4, using: &generator) == 0
                ? .null : .data([[], [0], [0, 255], [9]].randomElement(using: &generator) ?? []),
        ]
    }

    static func word(using generator: inout SeededGenerator) -> String {
        let letters = ["a", "A", "b", "B", "é", "e\u{301}", "[", "*", "?", "👩‍👧", "z", "Z"]
        return (0..<Int.random(in: 0...4, using: &generator))
            .map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
    }

    private static func list(using generator: inout SeededGenerator) -> StorageValue {
        let words = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            [#"a"#, #"a,b"#, #"["#, #"\""#, #"a]"#, ""].randomElement(using: &generator) ?? ""
        }
        return (try? StorageValue(storing: words)) ?? .null
    }

    /// Makes a buffer of rows.
    static func buffer(_ rows: [[StorageValue]]) throws -> RowBuffer {
        let buffer = RowBuffer(entity)
        for row in rows {
            var writer = try buffer.beginRow()
            for value in row { try writer.put(value.slot(in: buffer)) }
            try buffer.endRow(writer)
        }
        return buffer
    }
}

extension Sample {
    /// Makes the model of a row.
    static func probe(_ row: [StorageValue]) throws -> Probe {
        let buffer = try buffer([row])
        return try withExtendedLifetime(buffer) {
            var reader = buffer.batch.reader(at: 0)
            return try Probe(row: &reader)
        }
    }
}

/// The model of the sample rows.
struct Probe: Stored, Equatable {
    var identifier: Int
    var integer: Int?
    var real: Double?
    var text: String?
    var list: [String]?
    var data: [UInt8]?

    static let schema = Schema<Probe>(
        name: "Probe",
        fields: [
            .field(\.identifier, "identifier", primaryKey: .given),
            .field(\.integer, "integer"),
            .field(\.real, "real"),
            .field(\.text, "text"),
            .field(\.list, "list"),
            .field(\.bytes, "data"),
        ]
    )
    var primaryKey: Int { identifier }
    var bytes: Bytes? { data.map { Bytes(bytes: $0) } }

    init(row: inout RowReader) throws {
        identifier = try row.read()
        integer = try row.read()
        real = try row.read()
        text = try row.read()
        list = try row.read()
        data = try row.read(Bytes?.self)?.bytes
    }

    func write(to row: inout RowWriter) throws {
        try row.write(identifier)
        try row.write(integer)
        try row.write(real)
        try row.write(text)
        try row.write(list)
        try row.write(bytes)
    }
}

/// Bytes as a custom value: the smallest adoption of `StorableValue` by hand.
struct Bytes: StorableValue {
    var bytes: [UInt8]

    static var fieldType: FieldType { .data }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(slot: Slot) throws(SlotError) {
        try slot.require(.data)
        bytes = Array(slot.bytes)
    }

    func store(in row: inout RowWriter) throws {
        try bytes.withUnsafeBytes { try row.put(data: $0) }
    }
}

import Foundation
import Testing

@testable import DBClientCore

@Suite("Keys of results")
struct PackedKeysTests {
    /// Returns many keys, appended in batches as an engine delivers them.
    private func packed<Key: PrimaryKeyValue>(
        _ keys: [Key],
        _ fields: [FieldSchema]
    ) throws -> PackedKeys<Key> {
        let entity = EntitySchema(
            name: "Keyed",
            fields: fields,
            primaryKey: Array(fields.indices),
            keyGeneration: .given,
            indexes: [],
            failure: nil
        )
        var packed = PackedKeys<Key>(of: entity)
        for start in stride(from: 0, to: keys.count, by: 100) {
            let buffer = RowBuffer(entity)
            for key in keys[start..<min(start + 100, keys.count)] {
                var row = try buffer.beginRow()
                try key.write(to: &row)
                try buffer.endRow(row)
            }
            try buffer.withBatch { try packed.append($0) }
        }
        packed.shrink()
        for index in keys.indices { #expect(try packed[index] == keys[index]) }
        let middle = keys.count / 3..<keys.count / 2
        #expect(try packed[middle] == Array(keys[middle]))
        #expect(packed.count == keys.count)
        return packed
    }

    private func field(_ name: String, _ type: FieldType) -> FieldSchema {
        FieldSchema(name: name, type: type, isOptional: false)
    }

    @Test("A key takes its own size, and text its bytes and four more")
    func memory() throws {
        let count = 10_000
        let integers = try packed(
            Array(0..<count),
            [field("id", .integer(bits: 64, signed: true))]
        )
        #expect(integers.memory <= count * 9)
        let uuids = try packed((0..<count).map { _ in UUID() }, [field("id", .uuid)])
        #expect(uuids.memory <= count * 18)
        let texts = (0..<count).map { _ in UUID().uuidString }
        let packedTexts = try packed(texts, [field("id", .text)])
        #expect(packedTexts.memory <= count * (36 + 4) * 9 / 8)
        let short = try packed((0..<count).map { "k\($0)" }, [field("id", .text)])
        #expect(short.memory <= count * (5 + 4) * 9 / 8)
    }

    @Test("Keys of several fields, of empty text and of other alphabets")
    func shapes() throws {
        let keys = (0..<500).map {
            Pair(text: String(repeating: "é", count: $0 % 5), number: $0, note: "\($0 % 3)")
        }
        let fields = [
            field("text", .text), field("number", .integer(bits: 64, signed: true)),
            field("note", .text),
        ]
        let packedKeys = try packed(keys, fields)
        #expect(packedKeys.isEqual(to: try packed(keys, fields)))
        #expect(!packedKeys.isEqual(to: try packed(keys.reversed(), fields)))
        // The same text to Swift, another one to a store.
        let composed = try packed(["\u{E9}"], [field("id", .text)])
        let decomposed = try packed(["e\u{301}"], [field("id", .text)])
        #expect(!composed.isEqual(to: decomposed))
        #expect(try packed([String](), [field("id", .text)]).count == 0)
    }

    private struct Pair: PrimaryKeyValue {
        let text: String
        let number: Int
        let note: String

        static var columnCount: Int { 3 }

        init(text: String, number: Int, note: String) {
            self.text = text
            self.number = number
            self.note = note
        }

        init(row: inout RowReader) throws {
            text = try row.read()
            number = try row.read()
            note = try row.read()
        }

        func write(to row: inout RowWriter) throws {
            try row.write(text)
            try row.write(number)
            try row.write(note)
        }
    }
}

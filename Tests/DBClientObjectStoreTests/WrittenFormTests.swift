import DBClientCore
import Testing

@testable import DBClientObjectStore

/// What a store says of the values of its fields, and one of a former version of the library that says less.
@Suite struct WrittenFormTests {
    private func entity(_ type: FieldType, _ form: String) -> EntitySchema {
        EntitySchema(
            name: "E",
            fields: [
                FieldSchema(name: "id", type: .integer(bits: 64, signed: true), isOptional: false),
                FieldSchema(name: "value", type: type, isOptional: false, form: FieldForm(form)),
            ],
            primaryKey: [0],
            keyGeneration: .given,
            indexes: [],
            failure: nil
        )
    }

    @Test("A field without a form is what its type says", arguments: [true, false])
    func formless(isFormless: Bool) throws {
        var stored = StoredEntity(entity(.json, "json[int64]"), number: 0)
        if isFormless { for index in stored.fields.indices { stored.fields[index].form = nil } }
        let read = try stored.coded().withUnsafeBytes { bytes in
            try #require(StoredEntity(coded: bytes, of: "E".utf8))
        }
        #expect(read == stored)
        let texts = entity(.json, "json[text]")
        #expect(read.difference(from: texts).fits == isFormless)
        #expect(read.difference(from: entity(.json, "json[int64]")).fits)
        #expect(read.difference(from: entity(.json, "json<Meta>")).fits)
        #expect(!read.difference(from: entity(.text, "text")).fits)
        if isFormless {
            #expect(throws: Never.self) { try read.columns(of: texts) }
        } else {
            #expect(throws: DBClientError.self) { try read.columns(of: texts) }
        }
    }
}

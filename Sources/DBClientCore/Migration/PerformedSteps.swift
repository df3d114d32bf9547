import Foundation

/// The steps that a store has run, in an entity like any other: a row for each, with its name and the time.
enum PerformedSteps {
    static let entity = EntitySchema(
        name: "dbclient_migrations",
        fields: [
            FieldSchema(name: "name", type: .text, isOptional: false),
            FieldSchema(name: "performed", type: .date, isOptional: false),
        ],
        primaryKey: [0],
        keyGeneration: .given,
        indexes: [],
        failure: nil
    )

    /// Returns whether a step has run.
    static func contain(_ name: String, in reader: any EngineReader) throws -> Bool {
        let keys = RowBuffer(entity, columns: [0])
        var key = try keys.beginRow()
        try key.put(text: name)
        try keys.endRow(key)
        try keys.checkKeyLengths()
        var isFound = false
        try keys.withBatch { try reader.get(entity, keys: $0) { _, _ in isFound = true } }
        return isFound
    }

    /// Keeps that a step has run.
    static func insert(_ name: String, with writer: any EngineWriter) throws {
        let rows = RowBuffer(entity)
        var row = try rows.beginRow()
        try row.put(text: name)
        try row.write(Date())
        try rows.endRow(row)
        try writer.insert(rows)
    }
}

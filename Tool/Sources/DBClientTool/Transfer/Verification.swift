import DBClientCore

/// Compares what two stores have of entities, by checksums over the rows in the order of their keys.
///
/// A checksum is made of the values, not of what an engine keeps of them, so it is the same on every engine.
struct Verification {
    /// Returns the names of the entities that differ, each with what was found.
    static func differences(
        _ source: Store,
        _ target: Store,
        _ entities: [EntitySchema]
    ) async throws
        -> [String]
    {
        let catalog = try await EntityCatalog(storedIn: target.client)
        let stored = catalog.entities + catalog.entities.flatMap(\.links)
        var differences: [String] = []
        for entity in entities + entities.flatMap(\.links) {
            let expected = try await checksum(of: entity, in: source)
            let other = stored.first { $0.name.utf8.elementsEqual(entity.name.utf8) }
            var found = RowChecksum()
            if let other { found = try await checksum(of: other, in: target) }
            if expected != found {
                differences.append(
                    "\(entity.name): \(expected) in the source, \(found) in the target"
                )
            }
        }
        return differences
    }

    private static func checksum(
        of entity: EntitySchema,
        in store: Store
    ) async throws -> RowChecksum {
        // Each engine keeps fields in an order of its own.
        let fields = entity.fields.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return try await store.client.read { transaction in
            var checksum = RowChecksum()
            try transaction.forEach(DynamicRequest(entity)) { row in
                checksum.add(JSONText.object(row, fields: fields, isAsStored: true))
                return true
            }
            return checksum
        }
    }
}

/// The number of rows and FNV-1a, in 64 bits, over their text.
struct RowChecksum: Equatable, Sendable, CustomStringConvertible {
    private(set) var count = 0
    private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ row: String) {
        count += 1
        for byte in row.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        hash = (hash ^ 0x0A) &* 0x0000_0100_0000_01b3
    }

    var description: String { "\(count) rows, \(String(hash, radix: 16))" }
}

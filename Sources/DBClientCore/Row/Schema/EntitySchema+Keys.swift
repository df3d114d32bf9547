import Foundation

/// Primary keys as errors show them.
extension EntitySchema {
    /// The fields of the primary key and those of each unique index: no two rows have the same values in one of them.
    var uniqueKeys: [[Int]] { [primaryKey] + indexes.filter(\.isUnique).map(\.fields) }

    /// The names of the primary key's fields.
    package var keyName: String {
        primaryKey.map { fields[$0].name }.joined(separator: ", ")
    }

    /// Returns a primary key for a person, given the values of its fields.
    public func describe(key: [StorageValue]) -> String {
        zip(primaryKey, key).map { describe($1, of: fields[$0].type) }.joined(separator: ", ")
    }

    private func describe(_ value: StorageValue, of type: FieldType) -> String {
        switch value {
        case .null: "nil"
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let text): text
        case .data(let bytes) where type == .uuid && bytes.count == 16:
            bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
        case .data(let bytes):
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// Returns the error of a primary key that is taken.
    public func duplicateKey(_ key: [StorageValue]) -> DBClientError {
        DBClientError(
            .duplicateKey,
            "A value with this primary key is stored already.",
            entity: name,
            field: keyName,
            key: describe(key: key)
        )
    }
}

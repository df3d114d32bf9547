import DBClientCore
import DBClientSQL

// Keys with UUIDs that are kept as text, of which the server knows two spellings and the library one value.
extension PostgreSQLTable {
    /// Whether a field is a UUID that its column has as a text.
    func isSpelled(_ field: Int) -> Bool {
        UUIDText.Form(sql.form(of: field), of: entity.fields[field].type) != nil
    }

    /// Has the transaction be serializable that sets a unique UUID which its column has as a text, or a field that is
    /// unique with one.
    ///
    /// Two transactions that write the two spellings of one at once are no conflict for an index, and neither sees the
    /// row of the other. Serializable ones are undone where they could not have run one after the other.
    func willSpell(_ columns: [Int]) throws {
        if spelledFields.isEmpty || spelledFields.isDisjoint(with: columns) { return }
        try connection.requireSerializability()
    }

    /// Throws where a row has the key of new ones, in whatever case it is written.
    ///
    /// One of the same spelling is refused by the server as well. Of several fields no expression of one could say how a
    /// row that has them all spells it, as that of a UUID alone does.
    func checkSpellings(of batch: RowBatch) throws {
        let keys = RowBuffer(entity, columns: entity.primaryKey)
        for row in 0..<batch.count {
            var key = try keys.beginRow()
            for column in entity.primaryKey { try key.put(batch[row, column]) }
            try keys.endRow(key)
        }
        try keys.withBatch { keys in
            try get(keys) { row, _ in
                throw entity.duplicateKey(
                    entity.primaryKey.indices.map { StorageValue(keys[row, $0]) }
                )
            }
        }
    }
}

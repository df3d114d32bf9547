// Rows that are kept together on one of several servers, by the value of a field.
extension EntitySchema {
    /// Returns what is wrong with a shard key; nil where nothing is, and where there is none.
    ///
    /// Each server keeps its own rows unique and no others, so what is unique over all servers contains the shard key.
    static func checkShardKey(
        _ shardKey: Int?,
        name: String,
        fields: [FieldSchema],
        primaryKey: [Int],
        indexes: [IndexSchema]
    ) -> DBClientError? {
        guard let shardKey else { return nil }
        func invalid(_ message: String, _ field: Int, hint: String) -> DBClientError {
            DBClientError(
                .invalidSchema,
                message,
                entity: name,
                field: fields[field].name,
                hint: hint
            )
        }
        guard primaryKey.contains(shardKey) else {
            return invalid(
                "A shard key must be the primary key or a part of it.",
                shardKey,
                hint: "Mark it as a primary key as well, before the others."
            )
        }
        for index in indexes where index.isUnique && !index.fields.contains(shardKey) {
            return invalid(
                "A unique index must contain the shard key, \"\(fields[shardKey].name)\".",
                index.fields.first ?? shardKey,
                hint: "Declare a unique index over the shard key and the field."
            )
        }
        return nil
    }

    /// Whether a row and what it refers to of another entity have the same shard key.
    ///
    /// So it is where the fields have one name and one type. Two entities whose shard keys are all of their primary keys
    /// are spread each by a value of its own.
    func isKeptTogether(with other: EntitySchema) -> Bool {
        guard let shardKey, let otherKey = other.shardKey,
            primaryKey.count > 1 || other.primaryKey.count > 1
        else { return false }
        let (field, otherField) = (fields[shardKey], other.fields[otherKey])
        return field.type == otherField.type && field.name.utf8.elementsEqual(otherField.name.utf8)
    }

    /// Returns the field that has the shard key of what a relationship to one leads to, where that is the row's own.
    func shardColumn(of relationship: RelationshipSchema) -> Int? {
        guard shardKey != nil, relationship.link == nil, let target = relationship.target,
            isKeptTogether(with: target),
            let place = target.primaryKey.firstIndex(where: { $0 == target.shardKey }),
            relationship.columns.indices.contains(place)
        else { return nil }
        return relationship.columns[place]
    }

    /// The fields that have the row's shard key: that itself, and those of what it refers to, which may be nil.
    package var shardColumns: [Int] {
        guard let shardKey else { return [] }
        if let shardKeyOfTarget { return [shardKey] + [shardKeyOfTarget()].compactMap(\.self) }
        return [shardKey] + relationships.compactMap { shardColumn(of: $0) }
    }

    /// Throws where rows refer to values of another shard key than their own.
    ///
    /// - Parameters:
    ///   - rows: Rows of every field.
    ///   - columns: The fields that are written.
    /// - Throws: `.invalidValue` with the relationship.
    func checkShards(of rows: RowBatch, columns: [Int]? = nil) throws {
        guard let shardKey, !isFlat else { return }
        for relationship in relationships {
            guard let column = shardColumn(of: relationship), column != shardKey,
                columns?.contains(column) ?? true
            else { continue }
            for row in 0..<rows.count where !rows[row, column].isNull {
                if Slot.compare(rows[row, column], rows[row, shardKey]) == 0 { continue }
                throw otherShard(relationship.name)
            }
        }
    }

    /// Throws where fields of rows, given by their keys, are set to refer to values of another shard key.
    func checkShards(of keys: RowBuffer, setting assigned: RowAssignments) throws {
        guard let place = primaryKey.firstIndex(where: { $0 == shardKey }), !isFlat else { return }
        for relationship in relationships {
            guard let column = shardColumn(of: relationship), assigned.columns.contains(column),
                !assigned.values[0, column].isNull
            else { continue }
            let batch = keys.batch
            for row in 0..<batch.count
            where Slot.compare(batch[row, place], assigned.values[0, column]) != 0 {
                throw otherShard(relationship.name)
            }
        }
    }

    /// Whether one of some fields has the shard key of what a relationship leads to.
    func setsShard(in columns: [Int]) -> Bool {
        shardKey != nil && shardColumns.contains { $0 != shardKey && columns.contains($0) }
    }

    /// The error of a value that refers to one of another shard key.
    func otherShard(_ relationship: String) -> DBClientError {
        let name = shardKey.map { fields[$0].name } ?? ""
        return DBClientError(
            .invalidValue,
            "A value and what it refers to must have the same shard key, \"\(name)\".",
            entity: self.name,
            field: relationship,
            hint:
                "Refer to a value of the same \"\(name)\", or keep the key of the other in fields of their own."
        )
    }
}

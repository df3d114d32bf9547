// Values are rounded to what a column of their field's format keeps, on every engine.
extension RowBuffer {
    /// Rounds the value of a column that has a format; any other value that does not fit its column is an error.
    @usableFromInline
    @inline(never)
    func settle(_ slot: inout Slot, _ column: Int) throws {
        let field = entity.fields[columns[column]]
        guard let format = field.form.format, slot.kind == field.type.slotKind else {
            throw misfit(slot, column)
        }
        guard let rounded = try format.rounded(slot, of: columns[column], in: entity) else {
            return
        }
        slot = rounded.slot(in: self)
        hasNormalized = true
    }

    /// Rounds some values of the row that was begun, given by the positions of their columns.
    func round(_ positions: some Sequence<Int>) throws {
        guard entity.hasFormats else { return }
        let row = slots + rowCount * columnCount
        for position in positions where !fits(row[position], position) {
            try settle(&row[position], position)
        }
    }
}

extension ColumnFormat {
    /// Returns what is kept of a field's value in a form that reads back different; nil where it is kept as it is.
    ///
    /// - Throws: `DBClientError` with code `.invalidValue` for a value that a column of the format cannot hold, and for
    ///   one of the primary key or of a unique index that would be another one.
    package func rounded(
        _ value: Slot,
        of field: Int,
        in entity: EntitySchema
    ) throws -> StorageValue? {
        func invalid(_ message: String, hint: String) -> DBClientError {
            DBClientError(
                .invalidValue,
                message,
                entity: entity.name,
                field: entity.fields[field].name,
                hint: hint
            )
        }
        let rounded: StorageValue?
        do throws(RangeError) {
            rounded = try self.rounded(value)
        } catch {
            throw invalid(
                "The value is outside what a column of the format \(self) can hold.",
                hint: "Give the field a format with more room."
            )
        }
        if rounded != nil, entity.identifiesRows(by: field) {
            throw invalid(
                "A value that identifies a row must be kept as it is; the format \(self) would round it.",
                hint: "Round it before it is written, or give the field a format with more digits."
            )
        }
        return rounded
    }
}

extension EntitySchema {
    /// Returns a field's value as it is kept.
    ///
    /// - Throws: `.invalidValue` for one that cannot be kept.
    func rounded(_ value: StorageValue, of field: Int) throws -> StorageValue {
        guard let format = fields[field].form.format else { return value }
        return try value.withSlot { slot in
            slot.isNull ? nil : try format.rounded(slot, of: field, in: self)
        } ?? value
    }

    /// Whether a field is a part of the primary key, of a unique index or of the key of a related value.
    package func identifiesRows(by field: Int) -> Bool {
        primaryKey.contains(field) || fields[field].form.isOfRelatedKey
            || indexes.contains { $0.isUnique && $0.fields.contains(field) }
    }
}

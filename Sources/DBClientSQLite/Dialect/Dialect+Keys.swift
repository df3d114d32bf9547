import DBClientCore
import DBClientSQL

/// Keys of several columns: a few are bound value by value, more as one list.
extension SQLiteDialect {
    /// Stands for a list; any other form is a number of rows of placeholders, rounded up to a power
    /// of two so that few statements serve them all.
    private static var listForm: UInt32 { 0 }
    private static var boundKeys: Int { 64 }

    func form(ofKeys keys: [[StorageValue]]) -> SQLForm {
        guard keys.count <= Self.boundKeys else { return listForm(ofKeys: keys) }
        var count = 1
        while count < keys.count { count *= 2 }
        let rows = (0..<count).lazy.flatMap { keys[min($0, keys.count - 1)] }
        return SQLForm(UInt32(count), Array(rows))
    }

    /// Two constants: the bytes of all text and data, and a JSON list with a list for each key.
    ///
    /// There an integer is itself, a real is its bits, and text is where it begins in the bytes and
    /// how long it is.
    private func listForm(ofKeys keys: [[StorageValue]]) -> SQLForm {
        var bytes: [UInt8] = []
        var json = "["
        for key in keys {
            json += json.utf8.count > 1 ? ",[" : "["
            for (column, value) in key.enumerated() {
                if column > 0 { json += "," }
                value.withSlot { slot in
                    switch slot.kind {
                    case .text, .data:
                        json += "\(bytes.count + 1),\(slot.bytes.count)"
                        bytes.append(contentsOf: slot.bytes)
                    default: json += String(Int64(bitPattern: slot.bits))
                    }
                }
            }
            json += "]"
        }
        return SQLForm(Self.listForm, [.data(bytes), .text(json + "]")])
    }

    func appendKeys(_ form: SQLForm, of types: [FieldType], to text: inout SQLText) {
        guard form.identifier == Self.listForm else {
            text.append("(VALUES ")
            text.appendRows(Int(form.identifier), of: types)
            return text.append(")")
        }
        text.append("(WITH blob(bytes) AS (SELECT ")
        text.appendParameter()
        text.append(") SELECT ")
        var place = 0
        text.append(types) { text, type in
            func next() -> String {
                defer { place += 1 }
                return "json_extract(value, '$[\(place)]')"
            }
            switch type.slotKind {
            case .real: text.append("\(SQLiteFunctions.real)(\(next()))")
            case .text:
                text.append("CAST(substr(blob.bytes, \(next()), \(next())) AS TEXT)")
            case .data: text.append("substr(blob.bytes, \(next()), \(next()))")
            case .integer, .null: text.append(next())
            }
        }
        text.append(" FROM blob, json_each(")
        text.appendParameter()
        text.append("))")
    }
}

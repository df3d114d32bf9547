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

    func template(ofKeys form: SQLForm, _ types: [FieldType]) -> String {
        guard form.identifier == Self.listForm else {
            let row = "(" + types.map { _ in "?" }.joined(separator: ", ") + ")"
            let rows = [String](repeating: row, count: Int(form.identifier))
            return "(VALUES \(rows.joined(separator: ", ")))"
        }
        var place = 0
        func next() -> String {
            defer { place += 1 }
            return "json_extract(value, '$[\(place)]')"
        }
        let values = types.map { type in
            switch type.slotKind {
            case .real: "\(SQLiteFunctions.real)(\(next()))"
            case .text: "CAST(substr(blob.bytes, \(next()), \(next())) AS TEXT)"
            case .data: "substr(blob.bytes, \(next()), \(next()))"
            case .integer, .null: next()
            }
        }
        return """
            (WITH blob(bytes) AS (SELECT ?) \
            SELECT \(values.joined(separator: ", ")) FROM blob, json_each(?))
            """
    }
}

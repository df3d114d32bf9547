import DBClientCore

/// A model keyed by text that keeps the note that is stored.
struct Label: StoredConvertible, Equatable {
    let code: String
    var note: String?

    var primaryKey: String { code }

    init(_ code: String) {
        self.code = code
    }

    init(storage: TextKeyed) {
        code = storage.code
        note = storage.note.isEmpty ? nil : storage.note
    }

    func storage(existing: TextKeyed?) -> TextKeyed {
        TextKeyed(code, existing?.note ?? "")
    }
}

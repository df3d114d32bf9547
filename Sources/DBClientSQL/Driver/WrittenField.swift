public import DBClientCore

/// What a column of the library's own was written as, in the words of a note that the database keeps with it.
public struct WrittenField: Hashable, Sendable {
    /// What the values were written as.
    public let form: FieldForm
    /// Whether the values could be absent when they were written.
    public let isOptional: Bool

    /// Creates the note of a field as it is declared now.
    public init(_ field: FieldSchema) {
        form = field.form
        isOptional = field.isOptional
    }

    /// Reads a note; nil for what is none.
    public init?(_ note: some StringProtocol) {
        let note = String(note)
        let isOptional = note.utf8.last == UInt8(ascii: "?")
        form = FieldForm(isOptional ? String(note.dropLast()) : note)
        self.isOptional = isOptional
        if form.type == nil { return nil }
    }

    /// The text of the note that the database keeps.
    public var note: String { form.note + (isOptional ? "?" : "") }
}

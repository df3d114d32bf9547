/// One row of a result: its place and, in a subclass, its value.
///
/// Never changed; a row that is written gets a new entry.
class ResultEntry: @unchecked Sendable {
    /// The row's place in the order.
    final let key: OrderKey
    /// The content of the value; nil where the model itself determines it.
    final let content: ValueContent?

    init(_ key: OrderKey, _ content: ValueContent? = nil) {
        self.key = key
        self.content = content
    }
}

/// An entry with the model that was decoded from its row.
final class ModelEntry<Model: StoredConvertible>: ResultEntry, @unchecked Sendable {
    let model: Model

    init(_ key: OrderKey, _ model: Model, _ content: ValueContent? = nil) {
        self.model = model
        super.init(key, content)
    }
}

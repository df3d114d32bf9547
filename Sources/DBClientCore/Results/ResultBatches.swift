/// The values that were read last, in batches, the oldest of which goes first.
@usableFromInline
struct ResultBatches<Model: StoredConvertible> {
    @usableFromInline var batches: [(start: Int, values: [Model])] = []
    private var next = 0

    @inlinable
    subscript(index: Int) -> Model? {
        for batch in batches where index >= batch.start && index - batch.start < batch.values.count
        {
            return batch.values[index - batch.start]
        }
        return nil
    }

    mutating func keep(_ values: [Model], from start: Int, atMost limit: Int) {
        if batches.count < limit {
            batches.append((start, values))
        } else {
            batches[next % limit] = (start, values)
            next += 1
        }
    }

    mutating func removeAll() {
        batches = []
        next = 0
    }
}

/// Whether there is a row, by a number of rows that is kept and never above one.
final class ExistenceValue: ValueSource {
    private let count: CountedValue

    init(_ count: CountedValue) {
        self.count = count
    }

    func next() async throws -> Bool? {
        guard let count = try await count.next() else { return nil }
        return count > 0
    }
}

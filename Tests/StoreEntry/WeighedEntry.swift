package import DBClientCore

/// An entry as it came to be: it has a weight in addition, and no bucket.
@Stored("Entry") package struct WeighedEntry: Equatable {
    package let id: Int
    @Indexed package let text: String
    @Indexed package let weight: Int

    package init(_ id: Int, weight: Int) {
        self.id = id
        self.text = "entry \(id)"
        self.weight = weight
    }

    /// Leads a store of entries here.
    package static let adaptation = Migration.adapt(Self.self, removing: ["bucket"]) {
        $0.set(\.weight, to: 5)
    }

    /// Leads back.
    package static let wayBack = Migration.convert(Self.self, to: Entry.self) { Entry($0.id) }
}

import DBClientCore

/// A row whose text may have pages of its own, under a key that is text.
@Stored struct Paper: Equatable {
    @PrimaryKey let name: String
    var text: String

    init(_ number: Int) {
        name = "paper \(number)"
        text = String(repeating: "\(number) and ", count: number % 5 == 0 ? number * 7 : 3)
    }
}

/// A row that belongs to an entry.
@Stored struct Part: Equatable {
    let id: Int
    @Indexed var owner: Int
    @Indexed var weight: Double

    init(_ id: Int) {
        self.id = id
        owner = id / 5
        weight = Double(id % 97)
    }
}

import DBClientCore

/// With a list of values that are kept as JSON.
@Stored struct Bag: Equatable {
    struct Item: Codable, Equatable, Sendable {
        var name: String

        init(_ name: String) { self.name = name }
    }

    let id: Int
    var items: [Item]

    init(_ id: Int, _ items: [Item] = []) {
        self.id = id
        self.items = items
    }
}

/// A model with an optional to-one relationship to a bag.
@Stored struct BagOwner: Equatable {
    let id: Int
    var bag: Bag?

    init(_ id: Int, _ bag: Bag?) {
        self.id = id
        self.bag = bag
    }
}

import DBClientCore

/// A model of three fields, of which the first is the key.
@Stored struct Pair: Equatable {
    let id: Int
    @Unique var first: String
    var second: Int?

    init(_ id: Int, _ first: String, _ second: Int?) {
        self.id = id
        self.first = first
        self.second = second
    }
}

/// The same entity with its fields in another order.
@Stored("Pair") struct TurnedPair: Equatable {
    var second: Int?
    var first: String
    let id: Int

    init(_ id: Int, _ first: String, _ second: Int?) {
        self.id = id
        self.first = first
        self.second = second
    }
}

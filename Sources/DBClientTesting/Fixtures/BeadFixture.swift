import DBClientCore

/// Holds its own kind weakly, so that a key may name what is in another store alone.
@Stored struct Bead: Equatable {
    let id: Int
    @Relationship(onDelete: .weak) var next: [Bead]

    init(_ id: Int, next: [Bead] = []) {
        self.id = id
        self.next = next
    }
}

/// A bead as a model has it that knows nothing of what it holds.
@Stored("Bead") struct LoneBead: Equatable {
    let id: Int

    init(_ id: Int) {
        self.id = id
    }
}

import DBClientCore

/// A node of a tree or a graph, which names others of its kind in every way that there is.
@Stored struct Bough: Hashable {
    let id: Int
    var name: String
    var rank: Int?
    @Relationship(onDelete: .weak) var parent: Reference<Bough>?
    @Indexed var parentID: Int?
    /// The parent's key once more, in a field without an index.
    var looseID: Int?
    @Relationship(onDelete: .weak) var children: References<Bough>

    init(
        _ id: Int,
        _ name: String = "",
        rank: Int? = nil,
        parent: Int? = nil,
        children: [Int] = []
    ) {
        self.id = id
        self.name = name
        self.rank = rank
        self.parent = parent.map { Reference($0) }
        parentID = parent
        looseID = parent
        self.children = References(children)
    }
}

/// A node whose key has several fields, a text among them.
@Stored struct Leaf: Hashable {
    var title: String
    @PrimaryKey let book: String
    @PrimaryKey let number: Int
    @Relationship(onDelete: .weak) var before: Reference<Leaf>?
    @Relationship(onDelete: .weak) var notes: References<Leaf>

    init(_ book: String, _ number: Int, before: Leaf? = nil, notes: [Leaf] = []) {
        title = "\(book)\(number)"
        self.book = book
        self.number = number
        self.before = before.map { Reference(to: $0) }
        self.notes = References(to: notes)
    }
}

/// Holds others of its kind, which are loaded with it; it has a field that is called as the depth would be.
@Stored struct Chest: Hashable {
    let id: Int
    var depth: Int
    @Relationship(onDelete: .weak) var inner: [Chest]

    init(_ id: Int, depth: Int = 0, _ inner: [Chest] = []) {
        self.id = id
        self.depth = depth
        self.inner = inner
    }
}

/// A model whose stored shape is ``Bough``.
struct Twig: StoredRepresentable, Equatable {
    let id: Int
    let title: String

    var primaryKey: Int { id }

    init(storage: Bough) {
        id = storage.id
        title = "twig \(storage.name)"
    }

    func storage() -> Bough { Bough(id, title) }
}

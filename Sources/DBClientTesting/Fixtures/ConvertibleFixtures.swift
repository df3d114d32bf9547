import DBClientCore

/// A model that is kept as a `Hero` and merges with what is stored: the fields that it does not know
/// stay as they are.
struct Champion: StoredConvertible, Equatable {
    let id: Int
    var title: String
    var strength: Double

    init(_ id: Int, _ title: String? = nil, strength: Double = 0) {
        self.id = id
        self.title = title ?? "Hero \(id)"
        self.strength = strength
    }

    var primaryKey: Int { id }

    /// Refuses a stored name that begins with "unreadable".
    init(storage: Hero) throws {
        guard !storage.name.hasPrefix("unreadable") else { throw Refusal.reading }
        self.init(storage.id, storage.name, strength: storage.power)
    }

    /// Refuses a title that begins with "unwritable", and changes the key of one that begins with
    /// "strayed".
    func storage(existing: Hero?) throws -> Hero {
        guard !title.hasPrefix("unwritable") else { throw Refusal.writing }
        var hero = existing ?? Hero(id, bio: "new")
        hero.name = title
        hero.power = strength
        guard title.hasPrefix("strayed") else { return hero }
        return Hero(id + 1, title)
    }

    /// The error that a conversion throws.
    enum Refusal: Error {
        case reading
        case writing
    }
}

/// A model whose conversion does not ask for what is stored; its key is made by the store.
struct Voucher: StoredRepresentable, Equatable {
    var id: Int
    var words: [String]

    var primaryKey: Int { id }

    init(id: Int = 0, words: [String]) {
        self.id = id
        self.words = words
    }

    init(storage: Ticket) {
        self.init(id: storage.id, words: storage.title.split(separator: " ").map(String.init))
    }

    func storage() -> Ticket {
        Ticket(id: id, title: words.joined(separator: " "))
    }
}

/// A custom query over a model that converts.
struct ChampionQuery: FetchRequestConvertible {
    let minimum: Double

    var request: FetchRequest<Champion> {
        Champion.where { $0.power >= minimum }.sorted { $0.power.descending }
    }
}

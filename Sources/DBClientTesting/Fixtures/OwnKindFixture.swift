import DBClientCore

/// Refers to its own kind, and to nothing else.
@Stored struct Member: Equatable {
    let id: Int
    var name: String
    var rank: Int
    @Relationship(onDelete: .weak) var boss: Reference<Member>?

    init(_ id: Int, _ name: String = "", rank: Int = 0, boss: Int? = nil) {
        self.id = id
        self.name = name
        self.rank = rank
        self.boss = boss.map { Reference($0) }
    }
}

import DBClientCore

/// A model whose stored names are keywords or hold what a careless quoting trips over.
@Stored("select \"x\"; DROP TABLE 'Hero' --") struct HostileNames: Equatable {
    @StoredName("order by") let id: Int
    @Indexed @StoredName("from") var keyword: String
    @Unique @StoredName("a\"b'c`d]e[") var quotes: String?
    @StoredName("🦸‍♀️ \\ %s $1 ?1 :x @y") var emoji: Int
    @StoredName("\"\u{301} /* */ ; --\n") var comment: Double?

    init(_ id: Int, keyword: String = "", quotes: String? = nil, emoji: Int = 0) {
        self.id = id
        self.keyword = keyword
        self.quotes = quotes
        self.emoji = emoji
        comment = nil
    }

    static var indexes: [StoredIndex<Self>] { [StoredIndex(\.emoji, \.keyword)] }
}

/// A model whose names mean something to an engine: hidden columns, functions, reserved prefixes.
@Stored("sqlite_master") struct ReservedNames: Equatable {
    @PrimaryKey @StoredName("_rowid_") let key: String
    @Indexed var rowid: Int
    var oid: Int
    var ctid: String
    @StoredName("count(*)") var count: Int

    init(_ key: String, rowid: Int = 0, oid: Int = 0, ctid: String = "", count: Int = 0) {
        self.key = key
        self.rowid = rowid
        self.oid = oid
        self.ctid = ctid
        self.count = count
    }
}

/// A model whose fields are called what a statement may call its results.
@Stored("rows") struct ResultNames: Equatable {
    @PrimaryKey let n: Int
    var v: Int
    var w: Int
    var count: Int
    var max: String?

    init(_ n: Int, v: Int = 0, w: Int = 0, count: Int = 0, max: String? = nil) {
        self.n = n
        self.v = v
        self.w = w
        self.count = count
        self.max = max
    }
}

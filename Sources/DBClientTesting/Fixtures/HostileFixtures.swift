import DBClientCore

/// A model whose stored names are keywords or hold what a careless quoting trips over.
struct HostileNames: Stored, Equatable {
    let id: Int
    var keyword: String
    var quotes: String?
    var emoji: Int
    var comment: Double?

    init(_ id: Int, keyword: String = "", quotes: String? = nil, emoji: Int = 0) {
        self.id = id
        self.keyword = keyword
        self.quotes = quotes
        self.emoji = emoji
        comment = nil
    }

    static let schema = Schema<HostileNames>(
        name: "select \"x\"; DROP TABLE 'Hero' --",
        fields: [
            .field(\.id, "order by", primaryKey: .given),
            .field(\.keyword, "from", index: .plain),
            .field(\.quotes, "a\"b'c`d]e[", index: .unique),
            .field(\.emoji, "🦸‍♀️ \\ %s $1 ?1 :x @y"),
            .field(\.comment, "\"\u{301} /* */ ; --\n"),
        ],
        indexes: [StoredIndex(\.emoji, \.keyword)]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        keyword = try row.read()
        quotes = try row.read()
        emoji = try row.read()
        comment = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(keyword)
        try row.write(quotes)
        try row.write(emoji)
        try row.write(comment)
    }
}

/// A model whose names mean something to an engine: hidden columns, functions, reserved prefixes.
struct ReservedNames: Stored, Equatable {
    let key: String
    var rowid: Int
    var oid: Int
    var ctid: String
    var count: Int

    init(_ key: String, rowid: Int = 0, oid: Int = 0, ctid: String = "", count: Int = 0) {
        self.key = key
        self.rowid = rowid
        self.oid = oid
        self.ctid = ctid
        self.count = count
    }

    static let schema = Schema<ReservedNames>(
        name: "sqlite_master",
        fields: [
            .field(\.key, "_rowid_", primaryKey: .given),
            .field(\.rowid, "rowid", index: .plain),
            .field(\.oid, "oid"),
            .field(\.ctid, "ctid"),
            .field(\.count, "count(*)"),
        ]
    )
    var primaryKey: String { key }

    init(row: inout RowReader) throws {
        key = try row.read()
        rowid = try row.read()
        oid = try row.read()
        ctid = try row.read()
        count = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(key)
        try row.write(rowid)
        try row.write(oid)
        try row.write(ctid)
        try row.write(count)
    }
}

/// A model whose fields are called what a statement may call its results.
struct ResultNames: Stored, Equatable {
    let n: Int
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

    static let schema = Schema<ResultNames>(
        name: "rows",
        fields: [
            .field(\.n, "n", primaryKey: .given),
            .field(\.v, "v"),
            .field(\.w, "w"),
            .field(\.count, "count"),
            .field(\.max, "max"),
        ]
    )
    var primaryKey: Int { n }

    init(row: inout RowReader) throws {
        n = try row.read()
        v = try row.read()
        w = try row.read()
        count = try row.read()
        max = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(n)
        try row.write(v)
        try row.write(w)
        try row.write(count)
        try row.write(max)
    }
}

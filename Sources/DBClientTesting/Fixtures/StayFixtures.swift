import DBClientCore

/// Has fields of one type that may be absent, here and in a struct.
struct Stay: Stored, Equatable {
    let id: Int
    var planned: Int?
    var actual: Int?
    var guest: String
    var payer: String?
    var from: Place?
    var host: Studio?
    var owner: Studio?

    init(
        _ id: Int,
        planned: Int? = nil,
        actual: Int? = nil,
        guest: String = "",
        payer: String? = nil,
        from: Place? = nil,
        host: Studio? = nil,
        owner: Studio? = nil
    ) {
        self.id = id
        self.planned = planned
        self.actual = actual
        self.guest = guest
        self.payer = payer
        self.from = from
        self.host = host
        self.owner = owner
    }

    static let schema = Schema<Stay>(
        name: "Stay",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.planned, "planned", index: .plain),
            .field(\.actual, "actual"),
            .field(\.guest, "guest"),
            .field(\.payer, "payer"),
            .field(\.from, "from"),
            .field(\.host, "host"),
            .field(\.owner, "owner"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        planned = try row.read()
        actual = try row.read()
        guest = try row.read()
        payer = try row.read()
        from = try row.read()
        host = try row.read()
        owner = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(planned)
        try row.write(actual)
        try row.write(guest)
        try row.write(payer)
        try row.write(from)
        try row.write(host)
        try row.write(owner)
    }
}

/// Holds one of them, or several.
struct Tour: Stored, Equatable {
    let id: Int
    var first: Stay?
    var stays: [Stay]

    init(_ id: Int, first: Stay? = nil, stays: [Stay] = []) {
        self.id = id
        self.first = first
        self.stays = stays
    }

    static let schema = Schema<Tour>(
        name: "Tour",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.first, "first"),
            .field(\.stays, "stays"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        first = try row.read()
        stays = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(first)
        try row.write(stays)
    }
}

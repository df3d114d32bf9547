import DBClientCore

/// Has fields of one type that may be absent, here and in a struct.
@Stored struct Stay: Equatable {
    let id: Int
    @Indexed var planned: Int?
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
}

/// Holds one of them, or several.
@Stored struct Tour: Equatable {
    let id: Int
    var first: Stay?
    var stays: [Stay]

    init(_ id: Int, first: Stay? = nil, stays: [Stay] = []) {
        self.id = id
        self.first = first
        self.stays = stays
    }
}

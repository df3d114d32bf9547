import DBClientCore

/// A value whose fields are searched with those of its owner.
@Embedded struct MemoOrigin: Equatable {
    @Searchable(weight: 0.5) var place: String
    var page: Int
}

/// A model that is searched: a title that counts three times, a text that may be absent, and one in an optional struct.
@Stored struct Memo: Equatable {
    let id: Int
    @Searchable(weight: 3) var title: String
    @Searchable var body: String?
    var isDone: Bool
    var note: String
    var origin: MemoOrigin?

    init(
        _ id: Int,
        _ title: String,
        _ body: String? = nil,
        isDone: Bool = false,
        note: String = "",
        origin: MemoOrigin? = nil
    ) {
        self.id = id
        self.title = title
        self.body = body
        self.isDone = isDone
        self.note = note
        self.origin = origin
    }
}

import DBClientCore

/// The entity of `Band1` with nothing that it holds.
@Stored("Band") struct PlainBand: Equatable {
    let id: Int
    var name: String

    init(_ id: Int, name: String) {
        self.id = id
        self.name = name
    }
}

import DBClientCore

/// What a pin may hold, by a key of the same type.
protocol PinTarget: Stored where PrimaryKey == Int {
    static var pin: Schema<Pin<Self>> { get }
    init(_ id: Int)
}

extension PinTarget {
    static func makePin() -> Schema<Pin<Self>> {
        Schema(
            name: "Pin",
            fields: [
                .field(\.id, "id", primaryKey: .given), .field(\.place, "place"),
                .field(\.others, "others"),
            ]
        )
    }
}

/// A model whose relationships go to another model in each version.
struct Pin<Target: PinTarget>: Stored, Equatable {
    let id: Int
    var place: Reference<Target>?
    var others: References<Target>

    init(_ id: Int, place: Int?, others: [Int] = []) {
        self.id = id
        self.place = place.map { Reference($0) }
        self.others = References(others)
    }

    static var schema: Schema<Pin<Target>> { Target.pin }
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        place = try row.read()
        others = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(place)
        try row.write(others)
    }
}

@Stored("Pin \"board\" */ 1?") struct PinBoard: PinTarget, Equatable {
    let id: Int

    init(_ id: Int) { self.id = id }

    static let pin = makePin()
}

@Stored struct PinWall: PinTarget, Equatable {
    let id: Int

    init(_ id: Int) { self.id = id }

    static let pin = makePin()
}

/// The version that has keys of nothing in particular.
@Stored("Pin") struct PlainPin: Equatable {
    let id: Int
    @Indexed var place: Int?

    init(_ id: Int, place: Int?) {
        self.id = id
        self.place = place
    }
}

/// The version whose list alone holds others than `Pin<PinBoard>` does.
@Stored("Pin") struct HalfPin: Equatable {
    let id: Int
    var place: Reference<PinBoard>?
    var others: References<PinWall>

    init(_ id: Int, place: Int?, others: [Int] = []) {
        self.id = id
        self.place = place.map { Reference($0) }
        self.others = References(others)
    }
}

import DBClientCore
import Foundation

/// A model with decimals, so that prices can be added up.
struct Ware: Stored, Hashable {
    let id: Int
    var kind: String
    var price: Decimal
    var rebate: Decimal?

    init(_ id: Int, _ price: Decimal, rebate: Decimal? = nil, kind: String = "") {
        self.id = id
        self.kind = kind
        self.price = price
        self.rebate = rebate
    }

    static let schema = Schema<Ware>(
        name: "Ware",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.kind, "kind"),
            .field(\.price, "price"),
            .field(\.rebate, "rebate"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        kind = try row.read()
        price = try row.read()
        rebate = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(kind)
        try row.write(price)
        try row.write(rebate)
    }
}

/// A model that holds values with decimals.
struct Basket: Stored, Equatable {
    let id: Int
    var gift: Ware?
    var wares: [Ware]

    init(_ id: Int, _ wares: [Ware] = [], gift: Ware? = nil) {
        self.id = id
        self.gift = gift
        self.wares = wares
    }

    static let schema = Schema<Basket>(
        name: "Basket",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.gift, "gift"),
            .field(\.wares, "wares"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        gift = try row.read()
        wares = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(gift)
        try row.write(wares)
    }
}

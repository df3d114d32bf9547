import DBClientCore
import Foundation

/// A model with decimals, so that prices can be added up.
@Stored struct Ware: Hashable {
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
}

/// A model that holds values with decimals.
@Stored struct Basket: Equatable {
    let id: Int
    var gift: Ware?
    var wares: [Ware]

    init(_ id: Int, _ wares: [Ware] = [], gift: Ware? = nil) {
        self.id = id
        self.gift = gift
        self.wares = wares
    }
}

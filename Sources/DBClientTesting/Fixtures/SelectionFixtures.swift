import DBClientCore

/// A sale and what it brought.
@Selection struct SaleLine: Equatable {
    let sale: Int
    var ware: String?
    let amount: Int
    let currency = "EUR"
}

/// The revenue and the number of sales of a group, for sums and averages.
@Selection struct WareRevenue: Equatable {
    let ware: Int?
    let buyer: String?
    let revenue: Int
    let sales: Int
    let average: Double?
}

/// The revenue of a buyer with a ware, and totals over wares and buyers.
@Selection struct WareTotal: Equatable {
    let buyer: String?
    let ware: Int?
    let keys: Int
    let revenue: Int
}

/// A sale as a whole beside its ware.
@Selection struct SaleOfWare: Equatable {
    let sale: ItemSale
    let ware: SoldItem?
    let rank: Int
}

/// A shape whose properties have the names of calls on fields.
@Stored struct MirroredShape: Equatable {
    let id: Int
    var inverse: Int
    var column: Int
    var selection: Int

    init(_ id: Int, inverse: Int) {
        self.id = id
        self.inverse = inverse
        column = id * 10
        selection = id * 100
    }
}

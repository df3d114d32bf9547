import DBClientCore
import Foundation

/// A ware, with a kind, and a whole that it may be a part of.
@Stored struct SoldItem: Equatable {
    let id: Int
    @Indexed var name: String
    var kind: String?
    var price: Int
    /// Another ware that it is a part of.
    var whole: Int?

    init(_ id: Int, _ name: String, kind: String? = nil, price: Int = 0, whole: Int? = nil) {
        self.id = id
        self.name = name
        self.kind = kind
        self.price = price
        self.whole = whole
    }
}

/// A sale: one ware, a buyer and a quantity.
@Stored struct ItemSale: Equatable {
    let id: Int
    @Indexed var ware: Int?
    var buyer: String
    var quantity: Int
    var day: Date

    init(_ id: Int, ware: Int?, buyer: String = "", quantity: Int = 1, day: Int = 0) {
        self.id = id
        self.ware = ware
        self.buyer = buyer
        self.quantity = quantity
        self.day = Date(timeIntervalSince1970: Double(day) * 86_400)
    }
}

/// A kind of wares, whose primary key is a text.
@Stored struct ItemKind: Equatable {
    @PrimaryKey let code: String
    var title: String

    init(_ code: String, _ title: String) {
        self.code = code
        self.title = title
    }
}

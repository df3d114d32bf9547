import DBClientCore
import Foundation

/// A parcel: numbers of every kind that is summed, and texts to group by.
@Stored struct Parcel: Equatable {
    let id: Int
    var depot: String
    var route: Int?
    var pieces: Int
    var price: Decimal?
    var weight: Double
    var note: String?

    init(
        _ id: Int,
        _ depot: String = "a",
        route: Int? = nil,
        pieces: Int = 1,
        price: Decimal? = nil,
        weight: Double = 0,
        note: String? = nil
    ) {
        self.id = id
        self.depot = depot
        self.route = route
        self.pieces = pieces
        self.price = price
        self.weight = weight
        self.note = note
    }
}

import DBClientCore
import Foundation

/// Has an index on a field of each type that an index may be on, each of which may be absent.
@Stored struct Coupon: Equatable {
    let id: Int
    @Indexed var number: Int?
    @Indexed var amount: Double?
    @Indexed var name: String?
    @Indexed var bytes: Data?
    @Indexed var day: Date?
    @Indexed var code: UUID?
    @Indexed var price: Decimal?
    @Indexed var isOpen: Bool?
    @Indexed var site: URL?

    /// One of some few values in each field, or none.
    init(_ id: Int, _ value: Int) {
        self.id = id
        guard value > 0 else { return }
        number = [-7, 0, .min, .max, 3][value % 5]
        amount = [-1.5, 0, -.infinity, .infinity, 1e-300][value % 5]
        name = ["", "a", "ab", "\u{E9}", "Z"][value % 5]
        bytes = [Data(), Data([0]), Data([0, 0xFF]), Data([1]), Data([0, 0])][value % 5]
        day = Date(timeIntervalSince1970: [-1.5, 0, 86_400, 1e9, 2e9][value % 5])
        code = UUID(uuid: (UInt8(value % 5 * 51), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        price = [-1.5, 0, 10, 0.1, -20][value % 5]
        isOpen = value % 2 == 0
        site = URL(string: "https://example.com/\(value % 3)")
    }
}

/// Belongs to a coupon of some number, or to none.
@Stored struct Redemption: Equatable {
    let id: Int
    @Indexed var number: Int?
    var seat: Int
}

// swift-format-ignore-file
import DBClientCore
import Foundation

// What the other files of this folder ask for. They are type-checked, each by itself, by
// script/check-expressions.

struct Meta: Codable, Hashable, Sendable { var x: Int }
@Embedded struct Price { var amount: Double; var cents: Int? }
@Embedded struct Product { var id: Int; var name: String? }

@Stored struct Company {
    let id: Int
    var name: String
}

@Stored struct Item {
    let id: Int
    var title: String
    var subtitle: String?
    var rank: Int
    var score: Int?
    var weight: Double
    var isOpen: Bool
    var isNew: Bool?
    var price: Price
    var formerPrice: Price?
    var meta: Meta
    var formerMeta: Meta?
    var metas: [Meta]
    var tags: [String]
    var marks: Set<Int>
    var words: [String: Int]
    var at: Date
    var until: Date?
    var took: Duration
    var company: Company?
    var owner: Reference<Company>?
}

@Stored struct Line {
    let id: Int
    var tenant: Int
    var product: Product
    var quantity: Int
    var amount: Double
}

struct ReportRow {
    var product: String
    var quantity: Int
    var amount: Double
}

// swift-format-ignore-file
import DBClientCore
import Foundation

// What the other files of this folder ask for. They are type-checked, each by itself, by
// script/check-expressions.

struct Meta: Codable, Hashable, Sendable { var x: Int }
@Embedded struct Price { var amount: Double; var cents: Int? }
@Embedded struct Product { var id: Int; var name: String? }

@Stored struct Company: Codable, Hashable {
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
    var cost: Decimal
    var fee: Decimal?
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

/// What holds models in ways that no relationship can; the models are Codable, so their values could be kept as JSON.
struct Shelf {
    var companies: [Company]?
    var companySet: Set<Company>?
    var named: [String: Company]
    var owners: [Reference<Company>]
    var ownerSet: Set<Reference<Company>>
    var noOwners: [Reference<Company>]?
    var noReferences: References<Company>?
}

@Stored struct Membership {
    @PrimaryKey @Relationship(onDelete: .cascade) let company: Reference<Company>
    @PrimaryKey let item: Reference<Item>
    var since: Date
}

struct ReportRow {
    var product: String
    var quantity: Int
    var amount: Double
}

@Stored struct Ware: Hashable {
    let id: Int
    var name: String
    var stock: Int
    var reserved: Int
    var price: Double
    var kind: Reference<Kind>?
    var info: WareInfo
}

@Stored struct Kind: Hashable {
    let id: Int
    var name: String
    var parent: Reference<Kind>?
}

@Stored struct Sale: Hashable {
    let id: Int
    var ware: Reference<Ware>
    var buyer: Company?
    var seller: Reference<Company>?
    var quantity: Int
    var amount: Double
    var day: Date
    var note: String?
}

@Parts struct WareInfo: Codable, Hashable, Sendable {
    var city: String
    var tags: [String]
    var sizes: [String: Int]
    var rating: Double?
}

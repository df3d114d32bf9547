import DBClientCore
import Foundation

/// A shop, with what is told of it in a value that is stored as JSON.
@Stored struct Shop {
    @PrimaryKey let id: Int
    var name: String
    var info: Info

    @Parts struct Info: Codable {
        var address: Address
        var seats: Int
        var rating: Double?
        var tags: [String]
    }

    @Parts struct Address: Codable {
        var street: String
        var city: String
    }
}

func partsOfValues(on client: any DBClient) async throws {
    // snippet: folding
    let cafes = Shop.where { $0.name.containsFolding("cafe") }
        .sorted { $0.name.natural }
    // end snippet
    // snippet: parts
    let near = Shop.where {
        $0.info.path("address", "city", as: String.self) == "Metropolis"
            && $0.info.path("seats", as: Int.self) >= 20
    }
    .sorted { $0.info.path("rating", as: Double.self).descending }
    let cities = try await client.fetch(
        Shop.all.grouped { $0.info.path("address", "city", as: String.self) }.select(.count)
    )
    let vegan = Shop.where { $0.info.path("tags", 0, as: String.self) == "vegan" }
    // end snippet
    // snippet: named-parts
    let central = Shop.where { $0.info.address.city == "Metropolis" && $0.info.rating > 4 }
        .sorted { $0.info.rating.descending }
    let organic = Shop.where { $0.info.tags[0] == "organic" }
    // end snippet
    _ = (cafes, near, cities, vegan, central, organic)
}

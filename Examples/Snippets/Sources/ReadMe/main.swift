// snippet: readme
import DBClientCore
import DBClientObjectStore
import Foundation

@Stored struct Hero {
    @PrimaryKey let identifier: Int
    @Indexed var name: String
    var realName: String?
    var year: Int
}

let url = URL(fileURLWithPath: "heroes.store")
let client: any DBClient = try ObjectStoreDBClient(at: url)

try await client.upsert([
    Hero(identifier: 1455, name: "Iron Man", realName: "Anthony Edward Stark", year: 1963),
    Hero(identifier: 1250, name: "Iron Fist", realName: nil, year: 1974),
])
try await client.update(Hero.self, key: 1455) { $0.set(\.realName, to: "Tony Stark") }

let iron = Hero.where { $0.name.hasPrefix("Iron") }.sorted { $0.year.descending }.limit(10)
for hero in try await client.fetch(iron) {
    print(hero.name, hero.realName ?? "unknown", hero.year)
}
// end snippet

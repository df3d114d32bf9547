import DBClientCore
import DBClientObjectStore
import Foundation

let url = URL(fileURLWithPath: "my-heroes.store")
let client: any DBClient = try ObjectStoreDBClient(at: url)

let outcome = try await client.upsert([
    Hero(identifier: 1455, name: "Iron Man", realName: "Anthony Edward Stark", year: 1963),
    Hero(identifier: 1250, name: "Iron Fist", realName: "Daniel Thomas Rand", year: 1974),
])
print("\(outcome.inserted.count) are new, \(outcome.updated.count) were there.")

let iron = Hero.where { $0.name.hasPrefix("Iron") }.sorted { $0.year.descending }
for hero in try await client.fetch(iron) {
    print(hero.year, hero.name)
}

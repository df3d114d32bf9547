// swift-format-ignore-file
import DBClientCore
import Foundation

// What is written by habit and meets a declaration that says the right form: each line has one error, with the words
// after it.

func refused(_ client: any DBClient, _ blocking: BlockingDBClient, _ a: Item) async throws {
    _ = try await client.find(Item.self, id: 1) // renamed to 'find(_:key:)'
    _ = try await client.find(Item.self, 1) // renamed to 'find(_:key:)'
    _ = try await client.get(Item.self, id: 1) // renamed to 'find(_:key:)'
    _ = try await client.get(Item.self, 1) // renamed to 'find(_:key:)'
    _ = try await client.fetchAll(Item.self) // renamed to 'findAll(_:)'
    _ = try await client.fetchAll(Item.all) // renamed to 'fetch(_:)'
    _ = try await client.first(Item.all) // renamed to 'fetchOne(_:)'
    try await client.save(a) // renamed to 'upsert(_:)'
    _ = try await client.count(Item.self) // use 'count(_:)' with a request
    _ = try await client.fetch(Item.self) // renamed to 'findAll(_:)'
    _ = Item.filter { $0.rank == 1 } // renamed to 'where(_:)'
    _ = try await client.delete(Item.self, where: { $0.rank == 1 }) // use 'delete(_:)' with a request
    try await client.insert(a, a) // insert several values as an array
    try await client.update(Item.self, key: 1) { $0.title = "b" } // use 'set(\.name, to: …)'
    _ = Item.all.sorted(by: \.rank) // use 'sorted { $0.name }'
    _ = Item.all.sorted { ($0.rank, $0.title) } // name several fields in an array
    _ = client.observe(Item.all).values // iterate over the stream itself
    _ = try await client.max(\.at, Item.all) // renamed to 'max(_:of:)'
    _ = Item.all.sorted { $0.rank }.then { $0.title } // name all fields in one
    _ = Item.all.sorted { $0.rank.then($0.title) } // name all fields in one
    _ = Item.all.limit(10, offset: 5) // use 'limit(10).offset(5)'
    _ = try blocking.find(Item.self, id: 1) // renamed to 'find(_:key:)'
    try await client.write { transaction in
        _ = try transaction.find(Item.self, id: 1) // renamed to 'find(_:key:)'
        try transaction.save(a) // renamed to 'upsert(_:)'
    }
    _ = Item.where { $0.title.count > 2.5 } // cannot convert value of type 'Double'
    _ = Item.where { $0.took > .seconds(3) } // a Duration is kept as JSON
    _ = Item.where { $0.rank == "3" } // of its own type
    _ = Item.where { $0.rank + 1.5 > 3 } // an expression has operands of one type
    _ = Item.where { $0.title + 1 == "x" } // an expression has operands of one type
    _ = Item.where { $0.rank + $0.weight > 3 } // an expression has operands of one type
    _ = Item.where { $0.cost / 2 > 3 } // says how many digits it has
    _ = Item.where { $0.cost / $0.cost > 3 } // says how many digits it has
    _ = Item.where { ($0.cost + $0.cost) / $0.cost > 3 } // says how many digits it has
    _ = Item.where { $0.fee / 2 > 3 } // says how many digits it has
    _ = Item.all.select(\.rank).sorted { $0.rank } // sort before 'select'
    _ = Item.all.select(\.rank, \.title).sorted { [$0.rank, $0.title] } // sort before 'select'
    _ = Item.all.select(\.rank).where { $0.rank > 3 } // or 'filter { … }' of what is selected
    _ = Sale.join(Ware.self) { $0.ware == $1.id }.select { $1.name }.sorted { sale, ware in ware.name } // sort before 'select'
    _ = Sale.join(Ware.self) { $0.ware == $1.id }.select { $1.name }.where { $0.quantity > 3 && $1.stock == 4 } // or 'filter { … }' of what is selected
    _ = Item.where { min($0.rank, 1, 2, $0.id) > 3 } // one constant is named first or second
    let companies = HeldType.of(\Shelf.companies); HeldType.check(companies) // remove the '?', it is empty where nothing is held
    let companySet = HeldType.of(\Shelf.companySet); HeldType.check(companySet) // remove the '?', it is empty where nothing is held
    let named = HeldType.of(\Shelf.named); HeldType.check(named) // a list, a set or references
    let owners = HeldType.of(\Shelf.owners); HeldType.check(owners) // by reference is 'References<Model>'
    let ownerSet = HeldType.of(\Shelf.ownerSet); HeldType.check(ownerSet) // by reference is 'References<Model>'
    let noOwners = HeldType.of(\Shelf.noOwners); HeldType.check(noOwners) // by reference is 'References<Model>'
    let noReferences = HeldType.of(\Shelf.noReferences); HeldType.check(noReferences) // remove the '?', it is empty where nothing is held
}

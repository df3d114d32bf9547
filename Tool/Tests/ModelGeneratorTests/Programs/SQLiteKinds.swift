import DBClientCore
import Foundation

// Reads and writes the tables of `SQLiteKinds`. It is compiled with the generated models.

@main struct SQLiteKindsProgram {
    static func main() async throws {
        let store = try await Store.open(CommandLine.arguments[1])
        let copy = try await Store.open(CommandLine.arguments[2])
        let schema = try await store.schema()
        try await roundTrip(Person.self, in: store, to: copy)
        try await roundTrip(Team.self, in: store, to: copy)
        try await roundTrip(Membership.self, in: store, to: copy)
        try await roundTrip(Profile.self, in: store, to: copy)
        try await roundTrip(Order.self, in: store, to: copy)
        try await roundTrip(OrderLine.self, in: store, to: copy)
        try await roundTrip(Note.self, in: store, to: copy)
        try await roundTrip(Token.self, in: store, to: copy)
        try await roundTrip(Use.self, in: store, to: copy)
        try await roundTrip(Mixed.self, in: store, to: copy)
        try await roundTrip(Employee.self, in: store, to: copy)
        try await roundTrip(DateRow.self, in: store, to: copy)
        if try await store.schema() != schema { print("wrong: the tables are altered") }

        let client = store.client
        guard let ada = try await client.find(Person.self, key: 1) else { return }
        let memberships = try await client.fetch(ada.memberships)
        print("found ada \(memberships.map { $0.team.key })")
        let profiles = try await client.fetch(ada.profile)
        print("found profile \(profiles.map { $0.bio ?? "" })")
        let order = Order(region: "eu", number: 1, note: nil)
        print("found lines \(try await client.count(order.orderLines))")
        let ofAda = Membership.where { $0.person.firstName == "Ada" }
        print("found memberships \(try await client.count(ofAda))")
        let reports = try await client.fetch(Employee.where { $0.boss.name == "Boss" })
        print("found reports \(reports.map(\.name))")
        print("found uses \(try await client.count(Use.where { $0.token.made == 1 }))")
        let person = try await client.insert(Person(firstName: "Eve", class: 2))
        print("found key \(person.id > 2), default \(person.default ?? "none")")
        try await client.delete(ada)
        print("found left \(try await client.count(Membership.all))")
        let heavy = try await client.count(Person.where { $0.weight > 100 })
        print("found heavy \(try await client.fetch(Heavy.all).count == heavy)")
        let mixed = try await client.insert(Mixed(id: 0))
        try await client.update(Mixed(id: mixed.id, doubled: -1))
        let doubled = try await client.find(Mixed.self, key: mixed.id)?.doubled ?? 0
        print("found doubled \(doubled / mixed.id)")
    }
}

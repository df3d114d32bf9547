import DBClientCore
import Foundation

// Reads and writes the tables of `PostgreSQLKinds`. It is compiled with the generated models.

@main struct PostgreSQLKindsProgram {
    static func main() async throws {
        let store = try await Store.open(CommandLine.arguments[1])
        let copy = try await Store.open(CommandLine.arguments[2])
        let schema = try await store.schema()
        try await roundTrip(Person.self, in: store, to: copy)
        try await roundTrip(Seat.self, in: store, to: copy)
        try await roundTrip(Ticket.self, in: store, to: copy)
        try await roundTrip(Day.self, in: store, to: copy)
        try await roundTrip(Price.self, in: store, to: copy)
        try await roundTrip(Feeling.self, in: store, to: copy)
        try await roundTrip(Document.self, in: store, to: copy)
        try await roundTrip(List.self, in: store, to: copy)
        try await roundTrip(Code.self, in: store, to: copy)
        if try await store.schema() != schema { print("wrong: the tables are altered") }

        let client = store.client
        guard let ada = try await client.find(Person.self, key: 1) else { return }
        print("found tickets \(try await client.count(ada.tickets))")
        print("found ada \(try await client.count(Ticket.where { $0.person.fullName == "Ada" }))")
        let person = try await client.insert(Person(fullName: "Eve"))
        print("found key \(person.id > 2), whole \(person.whole)")
        var counter = try await client.insert(Counter(number: 7))
        counter.number = 8
        try await client.update(counter)
        print("found counters \(try await client.fetch(Counter.all).map(\.number))")
        let ticket = try await client.insert(Ticket(person: Reference(person.id), seat: nil))
        print("found \(ticket.id != UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))")
        let active = try await client.fetch(Active.all).count
        let isActive = try await client.count(Person.where { $0.isActive == true }) == active
        print("found active \(isActive), doubled \(person.doubled ?? 0)")
    }
}

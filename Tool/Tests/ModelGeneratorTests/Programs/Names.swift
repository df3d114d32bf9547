import DBClientCore
import Foundation

// Reads and writes the tables of `HardNames`. It is compiled with the generated models.

@main struct NamesProgram {
    static func main() async throws {
        let store = try await Store.open(CommandLine.arguments[1])
        let copy = try await Store.open(CommandLine.arguments[2])
        try await roundTrip(User.self, in: store, to: copy)
        try await roundTrip(Name.self, in: store, to: copy)
        try await roundTrip(Users.self, in: store, to: copy)
        try await roundTrip(UserRow.self, in: store, to: copy)
        try await roundTrip(TypeRow.self, in: store, to: copy)
        try await roundTrip(StringRow.self, in: store, to: copy)
        try await roundTrip(SelfRow.self, in: store, to: copy)
        try await roundTrip(ReferenceRow.self, in: store, to: copy)
        try await roundTrip(Class.self, in: store, to: copy)
        try await roundTrip(Task.self, in: store, to: copy)
        try await roundTrip(Unnamed.self, in: store, to: copy)
        try await roundTrip(_1.self, in: store, to: copy)
    }
}

import DBClientCore
import Foundation

// snippet: keys
/// How urgent a mission is, and a key, which takes `PrimaryKeyValue`.
enum Urgency: String, StorableValue, PrimaryKeyValue { case low, high }

extension UUID {
    /// What a store takes for a key that is still to be made.
    static let unset = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

@Stored struct Mission {
    @PrimaryKey(.generated) var id: UUID = .unset  // becomes a random UUID
    var urgency: Urgency
    @StoredName("mission_title") var title: String
    var start: Date
    @Transient var isSelected: Bool = false  // not stored, and false when it is read

    static var indexes: [StoredIndex<Self>] {
        [StoredIndex(\.urgency, \.start), .unique(\.title, \.start)]
    }
}

@Stored struct LogEntry {
    @PrimaryKey(.generated) var number: Int = 0  // becomes the next integer
    var text: String
}

@Stored struct Quota {
    @PrimaryKey let urgency: Urgency
    var missions: Int
}
// end snippet

func keys(on client: any DBClient, _ start: Date) async throws -> (Mission, LogEntry, Quota?) {
    // snippet: keys-use
    let mission = try await client.insert(Mission(urgency: .high, title: "Rescue", start: start))
    let entry = try await client.insert(LogEntry(text: "\(mission.id) begins"))
    let quota = try await client.find(Quota.self, key: .high)
    // end snippet
    return (mission, entry, quota)
}

import DBClientCore
import Foundation

/// The flat model: a few scalars, two of them optional, three indexes.
struct Hero: Stored, Equatable {
    let id: Int
    var name: String
    var realName: String
    var publisherId: Int?
    var power: Double
    var createdAt: Date
    var isActive: Bool
    var bio: String?

    init(
        _ id: Int,
        _ name: String? = nil,
        realName: String = "",
        publisherId: Int? = nil,
        power: Double = 0,
        createdAt: Date = Date(timeIntervalSince1970: 0),
        isActive: Bool = true,
        bio: String? = nil
    ) {
        self.id = id
        self.name = name ?? "Hero \(id)"
        self.realName = realName
        self.publisherId = publisherId
        self.power = power
        self.createdAt = createdAt
        self.isActive = isActive
        self.bio = bio
    }

    static let schema = Schema<Hero>(
        name: "Hero",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.name, "name", index: .plain),
            .field(\.realName, "realName"),
            .field(\.publisherId, "publisherId", index: .plain),
            .field(\.power, "power", index: .plain),
            .field(\.createdAt, "createdAt"),
            .field(\.isActive, "isActive"),
            .field(\.bio, "bio"),
        ],
        indexes: [StoredIndex(\.publisherId, \.name)]
    )

    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        realName = try row.read()
        publisherId = try row.read()
        power = try row.read()
        createdAt = try row.read()
        isActive = try row.read()
        bio = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(realName)
        try row.write(publisherId)
        try row.write(power)
        try row.write(createdAt)
        try row.write(isActive)
        try row.write(bio)
    }
}

extension Hero {
    /// A computed property, which is not stored.
    var shout: String { name.uppercased() }
}

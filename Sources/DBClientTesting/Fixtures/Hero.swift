import DBClientCore
import Foundation

/// The flat model: a few scalars, two of them optional, three indexes.
@Stored struct Hero: Equatable {
    let id: Int
    @Indexed var name: String
    var realName: String
    @Indexed var publisherId: Int?
    @Indexed var power: Double
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

    static var indexes: [StoredIndex<Self>] { [StoredIndex(\.publisherId, \.name)] }
}

extension Hero {
    /// A computed property, which is not stored.
    var shout: String { name.uppercased() }
}

import Foundation
import GRDB

/// The hand-written record, read by position, which is the fastest that a record can be.
extension Character: FetchableRecord, PersistableRecord {
    static var databaseTableName: String { "character" }

    enum Columns {
        static let id = Column("id")
        static let realName = Column("realName")
        static let publisherId = Column("publisherId")
        static let power = Column("power")
        static let isActive = Column("isActive")
    }

    init(row: Row) {
        self.init(
            id: row[0],
            name: row[1],
            realName: row[2],
            publisherId: row[3],
            power: row[4],
            createdAt: Date(microseconds: row[5]),
            isActive: row[6],
            bio: row[7]
        )
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
        container["realName"] = realName
        container["publisherId"] = publisherId
        container["power"] = power
        container["createdAt"] = createdMicroseconds
        container["isActive"] = isActive
        container["bio"] = bio
    }
}

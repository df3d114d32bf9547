import Foundation
import GRDB

/// The tables that the library's SQLite client makes of the models.
enum GraphTables {
    static let creation = """
        CREATE TABLE IF NOT EXISTS "Maker" ("id" INTEGER PRIMARY KEY NOT NULL, "name" TEXT NOT NULL)
        STRICT;
        CREATE INDEX IF NOT EXISTS "Maker_name_index" ON "Maker" ("name");
        CREATE TABLE IF NOT EXISTS "Part" ("id" INTEGER PRIMARY KEY NOT NULL, "name" TEXT NOT NULL,
        "level" INTEGER NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS "Owner" ("id" INTEGER PRIMARY KEY NOT NULL, "name" TEXT NOT NULL,
        "maker" INTEGER NOT NULL) STRICT;
        CREATE INDEX IF NOT EXISTS "Owner_maker_index" ON "Owner" ("maker");
        CREATE TABLE IF NOT EXISTS "Owner_parts" ("owner" INTEGER NOT NULL,
        "position" INTEGER NOT NULL, "target" INTEGER NOT NULL, PRIMARY KEY ("owner", "position"))
        STRICT, WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS "Owner_parts_target_index" ON "Owner_parts" ("target")
        """
}

/// GRDB's records and associations, as its documentation teaches them.
final class GRDBGraph: GraphContestant {
    private let pool: DatabasePool

    init(folder: URL) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: SQLiteTable.pageCache) }
        pool = try DatabasePool(
            path: folder.appendingPathComponent("owners.sqlite").path,
            configuration: configuration
        )
        // The pool sets NORMAL while it opens, whatever was asked for before.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try pool.write { try $0.execute(sql: GraphTables.creation) }
    }

    func close() throws {
        try GRDBStore.close(pool)
    }

    func save(_ owners: [Owner]) throws {
        try pool.write { database in
            var makers = Set<Int>()
            for owner in owners {
                if makers.insert(owner.maker.id).inserted {
                    try MakerRecord(id: owner.maker.id, name: owner.maker.name).insert(database)
                }
                try OwnerRecord(id: owner.id, name: owner.name, maker: owner.maker.id)
                    .insert(database)
                for (position, part) in owner.parts.enumerated() {
                    try PartRecord(id: part.id, name: part.name, level: part.level)
                        .insert(database)
                    try LinkRecord(owner: owner.id, position: position, target: part.id)
                        .insert(database)
                }
            }
        }
    }

    func fetchAll() throws -> any FetchedOwners {
        try pool.read { database in
            try OwnerRecord
                .order(Column("id"))
                .including(required: OwnerRecord.makerOfOwner)
                .including(all: OwnerRecord.parts)
                .asRequest(of: OwnerInfo.self)
                .fetchAll(database)
        }
    }

    func count(makerName: String) throws -> Int {
        try pool.read { database in
            try OwnerRecord
                .joining(required: OwnerRecord.makerOfOwner.filter(Column("name") == makerName))
                .fetchCount(database)
        }
    }
}

private struct MakerRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "Maker"
    var id: Int
    var name: String
}

private struct PartRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "Part"
    var id: Int
    var name: String
    var level: Int
}

private struct LinkRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "Owner_parts"
    static let part = belongsTo(PartRecord.self, using: ForeignKey(["target"], to: ["id"]))
    var owner: Int
    var position: Int
    var target: Int
}

private struct OwnerRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "Owner"
    static let makerOfOwner = belongsTo(
        MakerRecord.self,
        key: "makerOfOwner",
        using: ForeignKey(["maker"], to: ["id"])
    )
    static let links = hasMany(LinkRecord.self, using: ForeignKey(["owner"], to: ["id"]))
        .order(Column("position"))
    static let parts = hasMany(PartRecord.self, through: links, using: LinkRecord.part)
        .forKey("parts")
    var id: Int
    var name: String
    var maker: Int
}

private struct OwnerInfo: Decodable, FetchableRecord {
    var id: Int
    var name: String
    var makerOfOwner: MakerRecord
    var parts: [PartRecord]
}

extension OwnerInfo: OwnerConvertible {
    fileprivate var owner: Owner {
        Owner(
            id: id,
            name: name,
            maker: Maker(id: makerOfOwner.id, name: makerOfOwner.name),
            parts: parts.map { Part(id: $0.id, name: $0.name, level: $0.level) }
        )
    }
}

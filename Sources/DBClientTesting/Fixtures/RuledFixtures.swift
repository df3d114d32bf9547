import DBClientCore
import Synchronization

/// What versions of one entity, `RuledTrack`, hold by different rules.
@Stored struct RuledAlbum: Equatable {
    let id: Int

    init(_ id: Int) {
        self.id = id
    }
}

/// Holds an album by the rule of its version.
struct RuledTrack<Rule: TrackRule>: Stored, Equatable {
    let id: Int
    var album: Reference<RuledAlbum>?

    init(_ id: Int, album: Int?) {
        self.id = id
        self.album = album.map { Reference($0) }
    }

    static var schema: Schema<RuledTrack<Rule>> { Rule.schema }
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        album = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(album)
    }
}

/// A version of a model that differs in the delete rule of its relationship.
protocol TrackRule: Sendable, Equatable {
    static var rule: DeleteRule { get }
    static var schema: Schema<RuledTrack<Self>> { get }
}

extension TrackRule {
    fileprivate static func makeSchema() -> Schema<RuledTrack<Self>> {
        Schema(
            name: "RuledTrack",
            fields: [
                .field(\.id, "id", primaryKey: .given),
                .field(\.album, "album", onDelete: rule),
            ]
        )
    }
}

enum NullifyingTrack: TrackRule {
    static let rule = DeleteRule.nullify
    static let schema = makeSchema()
}

enum DenyingTrack: TrackRule {
    static let rule = DeleteRule.deny
    static let schema = makeSchema()
}

enum CascadingTrack: TrackRule {
    static let rule = DeleteRule.cascade
    static let schema = makeSchema()
}

enum WeakTrack: TrackRule {
    static let rule = DeleteRule.weak
    static let schema = makeSchema()
}

/// The version that has the key of an album and holds nothing.
@Stored("RuledTrack") struct KeyedTrack: Equatable {
    let id: Int
    @Indexed var album: Int?

    init(_ id: Int, album: Int?) {
        self.id = id
        self.album = album
    }
}

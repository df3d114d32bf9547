import DBClientCore

/// Where a character was first seen: a value without an identity, kept in its owner's row.
@Embedded
struct Appearance: Codable, Equatable {
    var title: String
    var issue: Int?
    var year: Int
}

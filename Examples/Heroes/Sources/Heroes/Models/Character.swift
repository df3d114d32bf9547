import DBClientCore

/// A character of a comic.
///
/// `publisher` is the primary key of a ``Publisher``.
@Stored
struct Character: Codable, Equatable {
    @PrimaryKey let identifier: Int
    @Indexed var name: String
    var realName: String?
    @Indexed var publisher: Int
    var aliases: [String]
    var alignment: Alignment
    var firstAppearance: Appearance
    var isActive: Bool
    var teams: [String]
}

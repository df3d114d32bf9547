import DBClientCore

/// A publisher of comics.
@Stored
struct Publisher: Codable, Equatable {
    @PrimaryKey let identifier: Int
    @Unique var name: String
    var founded: Int
    var country: String
}

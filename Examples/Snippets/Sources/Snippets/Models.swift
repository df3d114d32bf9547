import DBClientCore

// snippet: models
/// Where a character was first seen: part of its owner's row.
@Embedded struct Appearance {
    var title: String
    var year: Int
}

/// Which side a character is on.
enum Alignment: String, StorableValue { case hero, antihero, neutral, villain }

/// A character of a comic.
@Stored struct Character {
    @PrimaryKey let identifier: Int
    @Indexed var name: String
    var realName: String?
    @Indexed var publisher: Int
    var aliases: [String]
    var alignment: Alignment
    var firstAppearance: Appearance
}
// end snippet

public import DBClientCore

// snippet: models
/// Where a character was first seen: part of its owner's row.
@Embedded public struct Appearance: Sendable {
    public var title: String
    public var year: Int
}

/// Which side a character is on.
public enum Alignment: String, StorableValue { case hero, antihero, neutral, villain }

/// A character of a comic.
@Stored public struct Character: Sendable {
    @PrimaryKey public let identifier: Int
    @Indexed public var name: String
    public var realName: String?
    @Indexed public var publisher: Int
    public var aliases: [String]
    public var alignment: Alignment
    public var firstAppearance: Appearance
}
// end snippet

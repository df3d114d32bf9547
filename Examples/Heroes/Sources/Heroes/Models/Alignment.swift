import DBClientCore

/// Which side a character is on; stored as its raw value.
enum Alignment: String, Codable, StorableValue {
    case hero
    case antihero
    case neutral
    case villain
}

import DBClientCore
import Foundation

/// An enum kept as text that is a storable value of its own.
enum Mood: String, StorableValue, PrimaryKeyValue, Codable, CaseIterable {
    case calm
    case angry
    case élan
}

/// An enum kept as an integer that only has a raw value.
enum Level: Int, Sendable, CaseIterable, Comparable {
    case low = -1
    case middle = 0
    case high = 1

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
}

/// A `Codable` value that is kept as JSON in one field.
struct Origin: Codable, Equatable, Sendable {
    var planet: String
    var arrivedAt: Date?
    var companions: [String] = []
}

/// A value whose fields are columns of its owner; by hand, since that way is tested, too.
struct Place: EmbeddedValue, Equatable {
    var city: String
    var zip: Int?

    static let schema = EmbeddedSchema<Place>(fields: [
        .field(\.city, "city"),
        .field(\.zip, "zip"),
    ])

    init(_ city: String, zip: Int? = nil) {
        self.city = city
        self.zip = zip
    }

    init(row: inout RowReader) throws {
        city = try row.read()
        zip = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(city)
        try row.write(zip)
    }
}

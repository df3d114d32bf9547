import DBClientCore
import Foundation

/// Values that are stored as JSON, of a fixed shape and of any.
@Stored struct Leaflet: Equatable {
    let id: Int
    var title: String
    var info: Info
    var draft: Info?
    var scores: [String: Int]
    var tree: JSONTree

    /// A value of a fixed shape.
    @Parts struct Info: Codable, Equatable, Sendable {
        var city: String?
        var rating: Double?
        var weight: Float?
        var copies: Int?
        var isFree: Bool?
        var price: Decimal?
        var printedAt: Date?
        var code: UUID?
        var stamp: Data?
        var tags: [String]?
        var places: [Place]?
        var kind: Kind?
    }

    /// A value within the JSON of another, whose parts are asked for by name.
    @Parts struct Place: Codable, Equatable, Sendable {
        var name: String
        var at: [Int]
        /// A computed property, which is no part.
        var first: Int { at[0] }

        enum CodingKeys: String, CodingKey {
            case name = "the name"
            case at
        }
    }

    /// A value that is stored as its raw value.
    enum Kind: String, Codable, Sendable {
        case short
        case long
    }

    init(
        _ id: Int,
        _ title: String = "",
        info: Info = Info(),
        draft: Info? = nil,
        scores: [String: Int] = [:],
        tree: JSONTree = .null
    ) {
        self.id = id
        self.title = title
        self.info = info
        self.draft = draft
        self.scores = scores
        self.tree = tree
    }
}

/// Any value that JSON can have, to any depth.
indirect enum JSONTree: Codable, Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

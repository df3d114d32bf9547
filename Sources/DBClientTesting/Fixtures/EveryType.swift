import DBClientCore
import Foundation

/// A model with a field of every type that can be stored, and an optional one of each.
///
/// By hand, as are `Cell`, its key and `Place`, since that way is tested, too; and since its schema does not say what
/// the properties begin with, as that of a macro would.
struct EveryType: Stored, Equatable {
    let id: Int
    var flag: Bool = false
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var uint: UInt = 0
    var float: Float = 0
    var double: Double = 0
    var text: String = ""
    var data: Data = Data()
    var date: Date = Date(timeIntervalSince1970: 0)
    var uuid: UUID = EveryType.zeroUUID
    var url: URL = URL(fileURLWithPath: "/")
    var decimal: Decimal = 0
    var mood: Mood = .calm
    var level: Level = .middle
    var tags: [String] = []
    var numbers: Set<Int> = []
    var scores: [String: Int] = [:]
    var origin: Origin = Origin(planet: "Earth")
    var place: Place = Place("")

    var optionalFlag: Bool?
    var optionalInt8: Int8?
    var optionalInt16: Int16?
    var optionalInt32: Int32?
    var optionalInt64: Int64?
    var optionalUint8: UInt8?
    var optionalUint16: UInt16?
    var optionalUint32: UInt32?
    var optionalUint64: UInt64?
    var optionalUint: UInt?
    var optionalFloat: Float?
    var optionalDouble: Double?
    var optionalText: String?
    var optionalData: Data?
    var optionalDate: Date?
    var optionalUuid: UUID?
    var optionalUrl: URL?
    var optionalDecimal: Decimal?
    var optionalMood: Mood?
    var optionalLevel: Level?
    var optionalTags: [String]?
    var optionalNumbers: Set<Int>?
    var optionalScores: [String: Int]?
    var optionalOrigin: Origin?
    var optionalPlace: Place?

    init(_ id: Int) {
        self.id = id
    }

    var primaryKey: Int { id }

    static let zeroUUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

extension EveryType {
    /// A value with something in every field.
    static func full(_ id: Int) -> EveryType {
        var value = EveryType(id)
        value.flag = true
        value.int8 = -8
        value.int16 = -1_600
        value.int32 = -320_000
        value.int64 = -64_000_000_000
        value.uint8 = 200
        value.uint16 = 60_000
        value.uint32 = 4_000_000_000
        value.uint64 = 9_000_000_000_000_000_000
        value.uint = 7
        value.float = 0.1
        value.double = 0.1
        value.text = "Ünïcode 🦸 \"'\\\n\t"
        value.data = Data([0, 255, 0, 1])
        value.date = Date(timeIntervalSince1970: 1_700_000_000.5)
        value.uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
        value.url = URL(string: "https://example.org/a%20b?c=d#e") ?? value.url
        value.decimal = Decimal(sign: .minus, exponent: -4, significand: 123_456)
        value.mood = .élan
        value.level = .high
        value.tags = ["a", "b,\"c\"", ""]
        value.numbers = [3, 1, 2]
        value.scores = ["one": 1, "": 0, "zwölf": 12]
        value.origin = Origin(
            planet: "Krypton",
            arrivedAt: Date(timeIntervalSince1970: 0.25),
            companions: ["Krypto"]
        )
        value.place = Place("Metropolis", zip: 10_001)
        value.fillOptionals()
        return value
    }

    private mutating func fillOptionals() {
        optionalFlag = flag
        optionalInt8 = int8
        optionalInt16 = int16
        optionalInt32 = int32
        optionalInt64 = int64
        optionalUint8 = uint8
        optionalUint16 = uint16
        optionalUint32 = uint32
        optionalUint64 = uint64
        optionalUint = uint
        optionalFloat = float
        optionalDouble = double
        optionalText = text
        optionalData = data
        optionalDate = date
        optionalUuid = uuid
        optionalUrl = url
        optionalDecimal = decimal
        optionalMood = mood
        optionalLevel = level
        optionalTags = tags
        optionalNumbers = numbers
        optionalScores = scores
        optionalOrigin = origin
        optionalPlace = place
    }
}

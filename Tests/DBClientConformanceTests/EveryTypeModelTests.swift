#if Macros
import DBClientCore
import DBClientTesting
import Foundation
import Testing

private enum Tone: String, CaseIterable {
    case plain
    case élan
}

private enum Height: Int, StorableValue, Codable {
    case low = -1
    case middle = 0
    case high = 1
}

private struct Source: Codable, Equatable, Sendable {
    var planet: String
    var arrivedAt: Date?
    var companions: [String]
}

@Embedded private struct Corner: Equatable {
    var city: String
    var zip: Int?
    var tone: Tone
}

/// A field of every type that can be stored, and an optional one of each.
@Stored private struct Sampler: Equatable {
    let id: Int
    var flag = false
    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var float: Float = 0
    var double = 0.0
    var text = ""
    var data = Data()
    var date = Date(timeIntervalSince1970: 0)
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var url = URL(filePath: "/")
    var decimal: Decimal = 0
    var tone = Tone.plain
    var height = Height.middle
    var tags: [String] = []
    var numbers: Set<Int> = []
    var scores: [String: Int] = [:]
    var source = Source(planet: "Earth", arrivedAt: nil, companions: [])
    var corner = Corner(city: "", zip: nil, tone: .plain)

    var optionalFlag: Bool?
    var optionalInt: Int?
    var optionalInt8: Int8?
    var optionalInt16: Int16?
    var optionalInt32: Int32?
    var optionalInt64: Int64?
    var optionalUint: UInt?
    var optionalUint8: UInt8?
    var optionalUint16: UInt16?
    var optionalUint32: UInt32?
    var optionalUint64: UInt64?
    var optionalFloat: Float?
    var optionalDouble: Double?
    var optionalText: String?
    var optionalData: Data?
    var optionalDate: Date?
    var optionalUuid: UUID?
    var optionalUrl: URL?
    var optionalDecimal: Decimal?
    var optionalTone: Tone?
    var optionalHeight: Height?
    var optionalTags: [String]?
    var optionalNumbers: Set<Int>?
    var optionalScores: [String: Int]?
    var optionalSource: Source?
    var optionalCorner: Corner?
}

extension Sampler {
    /// A value with something in every field, at the ends of what the integers can be.
    static func full(_ id: Int) -> Sampler {
        var value = Sampler(id: id)
        value.flag = true
        value.int = .min
        value.int8 = .min
        value.int16 = .min
        value.int32 = .min
        value.int64 = .max
        value.uint = 7
        value.uint8 = .max
        value.uint16 = .max
        value.uint32 = .max
        value.uint64 = UInt64(Int64.max)
        value.float = 0.1
        value.double = 0.1
        value.text = "Ünïcode 🦸 \"'\\\n\t"
        value.data = Data([0, 255, 0, 1])
        value.date = Date(timeIntervalSince1970: 1_700_000_000.5)
        value.uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
        value.url = URL(string: "https://example.org/a%20b?c=d#e")!
        value.decimal = Decimal(sign: .minus, exponent: -4, significand: 123_456)
        value.tone = .élan
        value.height = .high
        value.tags = ["a", "b,\"c\"", ""]
        value.numbers = [3, 1, 2]
        value.scores = ["one": 1, "": 0, "zwölf": 12]
        value.source = Source(
            planet: "Krypton",
            arrivedAt: Date(timeIntervalSince1970: 0.25),
            companions: ["Krypto"]
        )
        value.corner = Corner(city: "Metropolis", zip: 10_001, tone: .élan)
        value.fillOptionals()
        return value
    }

    private mutating func fillOptionals() {
        optionalFlag = flag
        optionalInt = int
        optionalInt8 = int8
        optionalInt16 = int16
        optionalInt32 = int32
        optionalInt64 = int64
        optionalUint = uint
        optionalUint8 = uint8
        optionalUint16 = uint16
        optionalUint32 = uint32
        optionalUint64 = uint64
        optionalFloat = float
        optionalDouble = double
        optionalText = text
        optionalData = data
        optionalDate = date
        optionalUuid = uuid
        optionalUrl = url
        optionalDecimal = decimal
        optionalTone = tone
        optionalHeight = height
        optionalTags = tags
        optionalNumbers = numbers
        optionalScores = scores
        optionalSource = source
        optionalCorner = corner
    }
}

/// The macro's own code for every type that can be stored, where `EveryType` has it by hand.
struct EveryTypeModelTests {
    private static let full = Sampler.full(2)

    private func withClient(
        of backend: ConformanceBackend,
        _ body: (any DBClient) async throws -> Void
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await body(client)
    }

    @Test("A field of every type comes back equal", arguments: Backends.chosenWithAdopted)
    func values(_ backend: ConformanceBackend) async throws {
        try await withClient(of: backend) { client in
            let values = [Sampler(id: 1), Self.full]
            #expect(try await client.insert(values) == values)
            #expect(try await client.find(Sampler.self, keys: [1, 2]) == values)
            #expect(try await client.fetch(Sampler.all) == values)
            let outcome = try await client.upsert([Sampler.full(1), Sampler(id: 3)])
            #expect(outcome.updated == [.full(1)])
            #expect(outcome.inserted == [Sampler(id: 3)])
            try await client.update(Sampler(id: 2))
            #expect(
                try await client.fetch(Sampler.all)
                    == [.full(1), Sampler(id: 2), Sampler(id: 3)]
            )
        }
    }

    @Test("A condition names a field of any type", arguments: Backends.chosenWithAdopted)
    func conditions(_ backend: ConformanceBackend) async throws {
        let full = Self.full
        let requests: [FetchRequest<Sampler>] = [
            Sampler.where { $0.flag },
            Sampler.where { $0.int == .min },
            Sampler.where { $0.int8 < 0 },
            Sampler.where { $0.int16 == .min },
            Sampler.where { $0.int32 == .min },
            Sampler.where { $0.int64 == .max },
            Sampler.where { $0.uint == 7 },
            Sampler.where { $0.uint8 == .max },
            Sampler.where { $0.uint16 == .max },
            Sampler.where { $0.uint32 == .max },
            Sampler.where { $0.uint64 == full.uint64 },
            Sampler.where { $0.float == 0.1 },
            Sampler.where { $0.double > 0 },
            Sampler.where { $0.text.hasPrefix("Ünï") },
            Sampler.where { $0.data == full.data },
            Sampler.where { $0.date >= full.date },
            Sampler.where { $0.uuid == full.uuid },
            Sampler.where { $0.url == full.url },
            Sampler.where { $0.decimal < 0 },
            Sampler.where { $0.tone == .élan },
            Sampler.where { $0.height == .high },
            Sampler.where { $0.tags.contains("a") },
            Sampler.where { $0.numbers.contains(3) },
            Sampler.where { $0.corner.city == "Metropolis" && $0.corner.tone == .élan },
            Sampler.where { $0.optionalFlag == true },
            Sampler.where { $0.optionalUint64 == full.uint64 },
            Sampler.where { $0.optionalFloat == 0.1 },
            Sampler.where { $0.optionalData == full.data },
            Sampler.where { $0.optionalUuid == full.uuid },
            Sampler.where { $0.optionalDecimal == full.decimal },
            Sampler.where { $0.optionalTone == .élan },
            Sampler.where { $0.optionalHeight == .high },
            Sampler.where { $0.optionalTags.contains("a") },
            Sampler.where { $0.optionalScores != nil },
            Sampler.where { $0.optionalSource != nil },
            Sampler.where { $0.optionalCorner.zip == 10_001 },
        ]
        try await withClient(of: backend) { client in
            try await client.insert([Sampler(id: 1), full])
            for (position, request) in requests.enumerated() {
                let found = try await client.fetch(request)
                #expect(found.map(\.id) == [2], "request \(position)")
            }
        }
    }

    @Test("A field of any type is set alone, or to nil", arguments: Backends.chosenWithAdopted)
    func partialUpdates(_ backend: ConformanceBackend) async throws {
        let full = Self.full
        try await withClient(of: backend) { client in
            try await client.insert([Sampler(id: 1), full])
            try await client.update(Sampler.self, key: 1) {
                $0.set(\.flag, to: true)
                $0.set(\.uint64, to: full.uint64)
                $0.set(\.data, to: full.data)
                $0.set(\.uuid, to: full.uuid)
                $0.set(\.decimal, to: full.decimal)
                $0.set(\.tone, to: .élan)
                $0.set(\.height, to: .high)
                $0.set(\.numbers, to: full.numbers)
                $0.set(\.scores, to: full.scores)
                $0.set(\.source, to: full.source)
                $0.set(\.corner, to: full.corner)
                $0.set(\.optionalUrl, to: full.url)
                $0.set(\.optionalTone, to: .élan)
            }
            var first = Sampler(id: 1)
            (first.flag, first.uint64, first.data) = (true, full.uint64, full.data)
            (first.uuid, first.decimal) = (full.uuid, full.decimal)
            (first.tone, first.height) = (.élan, .high)
            (first.numbers, first.scores) = (full.numbers, full.scores)
            (first.source, first.corner) = (full.source, full.corner)
            (first.optionalUrl, first.optionalTone) = (full.url, .élan)
            let changed = try await client.update(Sampler.where { $0.id == 2 }) {
                $0.set(\.optionalFlag, to: nil)
                $0.set(\.optionalUuid, to: nil)
                $0.set(\.optionalTone, to: nil)
                $0.set(\.optionalTags, to: nil)
                $0.set(\.optionalSource, to: nil)
                $0.set(\.optionalCorner, to: nil)
            }
            #expect(changed == 1)
            var second = full
            (second.optionalFlag, second.optionalUuid, second.optionalTone) = (nil, nil, nil)
            (second.optionalTags, second.optionalSource) = (nil, nil)
            second.optionalCorner = nil
            #expect(try await client.fetch(Sampler.all) == [first, second])
        }
    }
}
#endif

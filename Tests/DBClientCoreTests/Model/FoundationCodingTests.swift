import DBClientCore
import Foundation
import Testing

@Suite("Foundation's types as stored values")
struct FoundationCodingTests {
    @Test(
        "A date is microseconds since 1970, rounded to the nearest",
        arguments: [
            (0.0, 0), (1.5, 1_500_000), (-1.5, -1_500_000), (0.000_001_6, 2), (-0.000_001_6, -2),
            (0.000_001_4, 1), (1_700_000_000.123_456, 1_700_000_000_123_456),
            (-62_135_596_800, -62_135_596_800_000_000),
        ] as [(Double, Int64)]
    )
    func dateRounding(seconds: Double, microseconds: Int64) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(try StorageValue(storing: date) == .integer(microseconds))
    }

    @Test("A stored date reads back as itself, however often")
    func dateRoundTrip() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let seconds = Double.random(in: -6e10...2e11, using: &generator)
            let once = try roundTrip(Date(timeIntervalSince1970: seconds))
            #expect(abs(once.timeIntervalSince1970 - seconds) < 0.000_04)
            #expect(try roundTrip(once) == once)
            #expect(try StorageValue(storing: once) == StorageValue(storing: roundTrip(once)))
        }
    }

    @Test("A date outside the common range of all engines is refused")
    func dateRange() throws {
        #expect(try roundTrip(Date(timeIntervalSince1970: -210_866_803_200)) != .distantPast)
        for seconds in [-210_866_803_201, 9.3e12, 1e300, .infinity, -.infinity, .nan] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(failure { try StorageValue(storing: date) }?.code == .invalidValue)
        }
        #expect(try roundTrip(Date.distantPast) == .distantPast)
        #expect(try roundTrip(Date.distantFuture) == .distantFuture)
    }

    @Test("A stored date outside that range is an error")
    func storedDateRange() throws {
        for stored in [-210_866_803_200_000_000, 0, Int64.max - 1] {
            #expect(
                try StorageValue.integer(stored).decode(as: Date.self).microsecondsSince1970 != nil
            )
        }
        for stored in [Int64.min, .min + 1, -210_866_803_200_000_001, .max] {
            let value = StorageValue.integer(stored)
            #expect(failure { try value.decode(as: Date.self) }?.code == .decoding)
            #expect(failure { try value.decode(as: Date?.self) }?.code == .decoding)
        }
    }

    @Test("A URL with a base reads back whole, which is told")
    func relativeURLs() throws {
        let base = try #require(URL(string: "https://example.com/a/"))
        let url = try #require(URL(string: "b", relativeTo: base))
        #expect(try StorageValue(storing: url) == .text("https://example.com/a/b"))
        #expect(try roundTrip(url) == url.absoluteURL)
    }

    @Test("A UUID is sixteen bytes in the standard's order")
    func uuids() throws {
        let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        let bytes = try #require(try StorageValue(storing: uuid).bytes)
        #expect(bytes == (0..<16).map { UInt8($0 * 0x11) })
        #expect(try roundTrip(uuid) == uuid)
        let short = StorageValue.data(Array(bytes.dropLast()))
        #expect(failure { try short.decode(as: UUID.self) }?.code == .decoding)
    }

    @Test("Data keeps its bytes; empty is not nil")
    func data() throws {
        #expect(try roundTrip(Data([0, 1, 255])) == Data([0, 1, 255]))
        #expect(try StorageValue(storing: Data()) == .data([]))
        #expect(try StorageValue(storing: Data?.some(Data())) != .null)
        #expect(failure { try StorageValue.text("x").decode(as: Data.self) }?.code == .decoding)
    }

    @Test("A URL is its text, and text that is none is an error")
    func urls() throws {
        let url = try #require(URL(string: "https://example.com/a%20b?q=1#top"))
        #expect(try StorageValue(storing: url) == .text(url.absoluteString))
        #expect(try roundTrip(url) == url)
        #expect(failure { try StorageValue.text("").decode(as: URL.self) }?.code == .decoding)
    }
}

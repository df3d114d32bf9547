import DBClientCore
import DBClientObjectStore
import Foundation
import StoreEntry
import Testing
import TrustRow

/// Stores as each version of the library wrote them whose files differ from those of the one before: this version opens
/// them, reads every value, finds it by its indexes, and goes on writing.
///
/// They are in `Tests/Formats`, each with the number of its form. `DBCLIENT_MAKE_FORMATS` names a folder to make those of
/// this version in; what is there once is never made again.
@Suite(.serialized) struct FormerFormatTests {
    private static let stores = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Formats")

    /// The forms that there have been.
    private static let forms = 1...1

    @Test(
        .counts(for: "R23", part: "stores"),
        arguments: ProcessTests.Engine.allCases,
        forms
    )
    func aFormerFormIsReadAndWritten(engine: ProcessTests.Engine, form: Int) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(at: Self.store(engine, form), to: folder.store)
        try engine.verify(folder.store)
        for round in 0..<2 {
            let client = try engine.open(folder.store)
            try check(client, changed: round > 0)
            if round == 0 { try change(client) }
            try client.close()
            try engine.verify(folder.store)
        }
    }

    /// Otherwise the test would prove nothing: a value that was read wrongly.
    @Test func anotherValueIsFound() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(at: Self.store(.sqlite, 1), to: folder.store)
        let client = try ProcessTests.Engine.sqlite.open(folder.store)
        try client.blocking.update(Specimen.self, key: 2) { $0.set(\.real, to: 0.25) }
        withKnownIssue { try check(client, changed: false) }
        try client.close()
    }

    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["DBCLIENT_MAKE_FORMATS"] != nil),
        arguments: ProcessTests.Engine.allCases
    )
    func makesStores(engine: ProcessTests.Engine) throws {
        let folder = try #require(ProcessInfo.processInfo.environment["DBCLIENT_MAKE_FORMATS"])
        let name = Self.store(engine, Self.forms.upperBound).lastPathComponent
        let client = try engine.open(URL(fileURLWithPath: folder).appendingPathComponent(name))
        try client.blocking.insert(Specimen.samples)
        try client.blocking.insert(Label.samples)
        try client.close()
    }

    private static func store(_ engine: ProcessTests.Engine, _ form: Int) -> URL {
        stores.appendingPathComponent("\(engine.rawValue)-\(form).store")
    }

    private func check(_ client: any DBClient, changed: Bool) throws {
        let specimens = Specimen.samples + (changed ? [Specimen(9)] : [])
        #expect(try client.blocking.fetch(Specimen.every) == specimens)
        for specimen in specimens {
            let (text, code) = (specimen.text, specimen.code)
            #expect(
                try client.blocking.fetch(Specimen.where { $0.text == text }).map(\.id)
                    == specimens.filter { $0.text == text }.map(\.id)
            )
            #expect(
                try client.blocking.fetch(Specimen.where { $0.code == code }).contains(specimen)
            )
            #expect(try client.blocking.find(Specimen.self, key: specimen.id) == specimen)
        }
        let labels = try client.blocking.fetch(Label.every)
        #expect(labels.map(\.specimen.key) == Label.samples.map(\.specimen.key))
        #expect(labels.map(\.note) == Label.samples.map(\.note))
        #expect(try client.blocking.count(Label.where { $0.rank >= 2 }) == 2)
    }

    private func change(_ client: any DBClient) throws {
        try client.blocking.insert(Specimen(9))
        let error = #expect(throws: DBClientError.self) {
            try client.blocking.insert(Specimen(10, code: Specimen(9).code))
        }
        #expect(error?.code == .uniqueViolation)
        try client.blocking.upsert(Specimen(1))
    }
}

/// A value of every kind that a file can have.
///
/// What is declared here never changes, since files are written by it.
@Stored private struct Specimen: Equatable {
    @PrimaryKey let id: Int
    @Indexed var text: String
    @Unique var code: String?
    var flag: Bool
    var small: Int8
    var wide: UInt64
    var offset: OffsetUInt64
    var real: Double
    var single: Float
    var data: Data
    var date: Date
    var uuid: UUID
    var amount: Decimal
    var url: URL
    var list: [String]
    var counts: [String: Int]
    var note: String?

    init(_ id: Int, code: String? = nil) {
        self.id = id
        text = id == 3 ? "" : String(repeating: "é🦸 \(id % 2) ", count: id == 2 ? 400 : 1)
        self.code = code ?? (id == 4 ? nil : "code \(id)")
        flag = id % 2 == 0
        small = Int8(id) - 5
        wide = UInt64(id) << 50
        offset = OffsetUInt64(.max - UInt64(id))
        real = id == 3 ? -.infinity : Double(id) / 3
        single = Float(id) / 7
        data = Data((0..<id * 100).map { UInt8($0 % 256) })
        date = Date(timeIntervalSince1970: Double(id) * 1_000_000 + 0.25)
        uuid = UUID(uuid: (UInt8(id), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        amount = Decimal(sign: .minus, exponent: -2, significand: Decimal(id * 101))
        url = URL(string: "https://example.org/\(id)") ?? URL(fileURLWithPath: "/")
        list = (0..<id).map { "element \($0)" }
        counts = ["a": id, "b": -id]
        note = id == 2 ? nil : "note"
    }

    static let samples = (1...5).map { Specimen($0) }
    static let every = Specimen.where { $0.id > 0 }.sorted { $0.id }
}

/// A value with a key that the engine makes, a reference and an index of two fields.
@Stored private struct Label: Equatable {
    @PrimaryKey(.generated) let id: Int
    var specimen: Reference<Specimen>
    var rank: Int
    var note: String

    init(_ specimen: Int, _ rank: Int) {
        id = 0
        self.specimen = Reference(specimen)
        self.rank = rank
        note = "label \(rank) of \(specimen)"
    }

    static var indexes: [StoredIndex<Self>] { [StoredIndex(\.specimen, \.rank)] }

    static let samples = [Label(1, 1), Label(2, 2), Label(2, 3)]
    static let every = Label.where { $0.rank > 0 }.sorted { $0.rank }
}

#if Macros
import DBClientCore
import DBClientTesting
import Testing

/// Each of its extensions' initializers has the labels of the compiler's own and makes something else.
@Stored private struct Plain: Equatable {
    enum Level: Int { case low, high }

    @PrimaryKey let id: Int
    var name: String
    var note: String?
    var size: Double
    var count = 3
    var level = Level.low
    var tags: [String]
}

extension Plain {
    init(
        id: Int,
        name: Substring,
        note: String?,
        size: Double,
        count: Int,
        level: Level,
        tags: [String]
    ) throws {
        throw DBClientError(.invalidRequest, "Not this one.")
    }

    init(
        id: Int,
        name: some StringProtocol,
        note: String?,
        size: some BinaryFloatingPoint,
        count: some BinaryInteger,
        level: Level,
        tags: [String]
    ) {
        self.init(
            id: -id,
            name: "" as String,
            note: nil as String?,
            size: 0 as Double,
            count: 0 as Int,
            level: .high,
            tags: []
        )
    }

    init?(
        id: Int,
        name: String,
        note: String?,
        size: Double,
        count: Int?,
        level: Level,
        tags: [String],
        isNew: Bool = true
    ) {
        nil
    }

    init(
        id: Int,
        name: String,
        note: String,
        size: Float,
        count: Int8,
        level: Level?,
        tags: Set<String>
    ) {
        self.init(
            id: -id,
            name: "" as String,
            note: nil as String?,
            size: 0 as Double,
            count: 0 as Int,
            level: .high,
            tags: [] as [String]
        )
    }

    init(
        id: Int,
        name: String,
        note: String?,
        size: Double,
        count: Int,
        level: Level,
        tags: [String]
    ) async {
        self.init(row: id)
    }

    private init(row id: Int) {
        self.init(
            id: -id,
            name: "" as String,
            note: nil as String?,
            size: 0 as Double,
            count: 0 as Int,
            level: .high,
            tags: [] as [String]
        )
    }
}

/// A string is easier to read than what is kept as JSON.
@Stored private struct Drawn: Equatable {
    struct Shape: Codable, Equatable { var corners: Int }

    @PrimaryKey let id: Int
    var shape: Shape
}

extension Drawn {
    init(id: Int, shape: String) {
        self.init(id: -id, shape: Shape(corners: shape.count))
    }

    init(id: Int64, shape: Shape) {
        self.init(id: -Int(id), shape: shape)
    }
}

/// Its properties that are not kept have values of their own, which initializers leave out.
@Stored private struct Cached: Equatable {
    @PrimaryKey let id: Int
    var name: String
    @Transient var hits = 7
    @Transient var words: [String] = []
    @Transient var note: String?
}

extension Cached {
    init(id: Int, name: String) {
        self.init(id: -id, name: "", hits: 0, words: ["own"], note: "own")
    }

    init(id: Int, name: String, note: String?) {
        self.init(id: -id, name: "", hits: 0, words: ["own"], note: "own")
    }
}

/// What it starts from is no literal.
@Stored private struct Stamped: Equatable {
    static let first = 7

    @PrimaryKey let id: Int
    var name: String
    @Transient var stamp = Stamped.first
}

extension Stamped {
    init(id: Int, name: String) {
        self.init(id: -id, name: "", stamp: 0)
    }
}

/// The macros see a struct without its extensions; whatever those declare, a value is read as written.
@Suite(.serialized)
struct OwnInitializerTests {
    private func expectRoundTrip<Model: Stored & Equatable>(
        _ value: Model,
        _ backend: ConformanceBackend
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await client.insert(value)
        #expect(try await client.find(Model.self, key: value.primaryKey) == value)
        #expect(try await client.fetch(Model.all) == [value])
    }

    @Test("An initializer of other types is not the compiler's", arguments: Backends.chosen)
    func otherTypes(_ backend: ConformanceBackend) async throws {
        var value = try Plain.decoded(id: 1)
        value.note = "note"
        try await expectRoundTrip(value, backend)
        let shape = Drawn.Shape(corners: 3)
        try await expectRoundTrip(Drawn(id: 1 as Int, shape: shape), backend)
    }

    @Test("An initializer of fewer arguments is not the compiler's", arguments: Backends.chosen)
    func fewerArguments(_ backend: ConformanceBackend) async throws {
        try await expectRoundTrip(
            Cached(id: 1, name: "a", hits: 7, words: [], note: nil as String?),
            backend
        )
        try await expectRoundTrip(Stamped(id: 1, name: "a", stamp: 7), backend)
    }
}

extension Plain {
    /// Its own initializers make the compiler's hard to name.
    fileprivate static func decoded(id: Int) throws -> Plain {
        let make: (Int, String, String?, Double, Int, Level, [String]) -> Plain =
            Plain.init(id:name:note:size:count:level:tags:)
        return make(id, "a", nil, 1.5, 4, .high, ["b", "c"])
    }
}
#endif

#if Macros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("What leads to a value is a property that is not stored")
struct InverseExpansionTests {
    @Test("The schema names it, and rows have nothing of it")
    func declaresInverses() {
        assertExpansion(
            """
            @Stored struct Album {
                let id: Int
                @Inverse(\\Track.album) var tracks: [Track]
                @Inverse(\\Guest.albums) var guests: Set<Guest>?
                @Inverse(\\Cover.album) var covers: [Cover] = []
                var title: String
            }
            """,
            #"""
            struct Album {
                let id: Int
                var tracks: [Track]
                var guests: Set<Guest>?
                var covers: [Cover] = []
                var title: String
            }

            extension Album: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Album",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                        .field(\.title, "title"),
                    ],
                    indexes: Self.indexes,
                    inverses: [
                        .inverse(\.tracks, of: \Track.album),
                        .inverse(\.guests, of: \Guest.albums),
                        .inverse(\.covers, of: \Cover.album),
                    ]
                )
                var primaryKey: PrimaryKey {
                    self.id
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.init(
                        id: DBClientCore.RowReader.value(try row.read(), of: \Self.id),
                        tracks: DBClientCore.RowReader.value([], of: \Self.tracks),
                        guests: DBClientCore.RowReader.value(nil, of: \Self.guests),
                        covers: DBClientCore.RowReader.value([], of: \Self.covers),
                        title: DBClientCore.RowReader.value(try row.read(), of: \Self.title)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                    try row.write(self.title)
                }
            }
            """#
        )
    }

    @Test("It begins empty where the struct has an initializer of its own")
    func beginsEmpty() {
        assertExpansion(
            """
            @Stored struct Album {
                let id: Int
                @Inverse(\\Track.album) private(set) var tracks: [Track]
                @Inverse(\\Guest.albums) var guests: [Guest]?
                var year = 0
                init(id: Int) { self.id = id }
            }
            """,
            #"""
            struct Album {
                let id: Int
                private(set) var tracks: [Track]
                var guests: [Guest]?
                var year = 0
                init(id: Int) { self.id = id }
            }

            extension Album: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Album",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                        .field(\.year, "year"),
                    ],
                    indexes: Self.indexes,
                    defaults: {
                        _ = Self(startingIn: &$0)
                    },
                    inverses: [
                        .inverse(\.tracks, of: \Track.album),
                        .inverse(\.guests, of: \Guest.albums),
                    ]
                )
                var primaryKey: PrimaryKey {
                    self.id
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.id = try row.read()
                    self.year = try row.read()
                    self.tracks = []
                    self.guests = nil
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                    try row.write(self.year)
                }
                private init?(startingIn row: inout DBClientCore.Assignments<Self>) {
                    row.set(\.year, to: self.year)
                    return nil
                }
            }
            """#
        )
    }

    @Test(
        "It is a list or a set of a model, with its type",
        arguments: [
            (": Track", "; it is 'Track'"), (": [String: Track]", "; it is '[String: Track]'"),
            (": [Int]", "; it is '[Int]'"), (": [Track]??", "; it is '[Track]??'"), (" = []", ""),
        ]
    )
    func refusesOtherTypes(rest: String, found: String) {
        assertRefused(
            "@Inverse(\\Track.album) var tracks\(rest)",
            "var tracks\(rest)",
            diagnostics: [
                error(
                    """
                    'tracks' must be a list or a set of the model that leads to this one, such as '[Track]', \
                    written with its type\(found)
                    """,
                    line: 3,
                    column: 32
                )
            ]
        )
    }

    @Test("It is a variable, since it is set when it is asked for")
    func refusesConstants() {
        assertRefused(
            "@Inverse(\\Track.album) let tracks: [Track]",
            "let tracks: [Track]",
            diagnostics: [
                error(
                    "'tracks' is set when it is asked for, so it must be a 'var' that is not lazy",
                    line: 3,
                    column: 32,
                    fixIts: ["make it 'var'"]
                )
            ],
            fixed: "@Inverse(\\Track.album) var tracks: [Track]"
        )
    }
}
#endif

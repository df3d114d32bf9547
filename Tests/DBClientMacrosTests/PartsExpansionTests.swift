#if Macros
import Testing

@Suite("@Parts writes the names of parts")
struct PartsExpansionTests {
    @Test("Every stored property has the name of its coding key")
    func namesStoredProperties() {
        assertExpansion(
            """
            @Parts public struct Info: Codable {
                public var city: String
                let tags: [String], `default`: Int?
                static let none = Info()
                var isEmpty: Bool { tags.isEmpty }
            }
            """,
            #"""
            public struct Info: Codable {
                public var city: String
                let tags: [String], `default`: Int?
                static let none = Info()
                var isEmpty: Bool { tags.isEmpty }
            }

            extension Info: DBClientCore.PartedValue {
                public static func partName(of keyPath: PartialKeyPath<Self>) -> String? {
                    switch keyPath {
                        case \Self.city:
                        CodingKeys.city.stringValue
                        case \Self.tags:
                        CodingKeys.tags.stringValue
                        case \Self.`default`:
                        CodingKeys.`default`.stringValue
                        default:
                        nil
                    }
                }
            }
            """#
        )
    }

    @Test("A property without a key of the struct's own keys has no name")
    func passesOverOtherProperties() {
        assertExpansion(
            """
            @Parts struct Info: Codable {
                var city: String
                var cache = 0
                enum CodingKeys: String, CodingKey {
                    case city = "town"
                }
            }
            """,
            #"""
            struct Info: Codable {
                var city: String
                var cache = 0
                enum CodingKeys: String, CodingKey {
                    case city = "town"
                }
            }

            extension Info: DBClientCore.PartedValue {
                static func partName(of keyPath: PartialKeyPath<Self>) -> String? {
                    switch keyPath {
                        case \Self.city:
                        CodingKeys.city.stringValue
                        default:
                        nil
                    }
                }
            }
            """#
        )
    }

    @Test("Only a struct that the compiler encodes has names")
    func refusesOthers() {
        assertExpansion(
            """
            @Parts enum Shape: Codable {
                case point
            }
            """,
            """
            enum Shape: Codable {
                case point
            }
            """,
            diagnostics: [
                error(
                    "'@Parts' needs a struct, but 'Shape' is an enum; ask for its parts by 'path(_:as:)'",
                    line: 1,
                    column: 1
                )
            ]
        )
        assertExpansion(
            """
            @Parts struct Info: Codable {
                var city: String
                func encode(to encoder: any Encoder) throws {}
            }
            """,
            """
            struct Info: Codable {
                var city: String
                func encode(to encoder: any Encoder) throws {}
            }
            """,
            diagnostics: [
                error(
                    """
                    '@Parts' cannot tell how 'Info' encodes its properties; remove '@Parts' and ask for \
                    its parts by 'path(_:as:)', or leave the coding to the compiler
                    """,
                    line: 3,
                    column: 5
                )
            ]
        )
    }
}
#endif

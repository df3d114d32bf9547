#if Macros
import Testing

@Suite("Generated members are as visible as the struct")
struct AccessExpansionTests {
    /// The extension of a struct `Hero` with a key `id`, when its members have a modifier.
    private func heroExtension(of name: String = "Hero", _ access: String) -> String {
        #"""
        extension \#(name): DBClientCore.Stored {
            \#(access)typealias PrimaryKey = Int
            \#(access)static let schema: DBClientCore.Schema<Self> = .init(
                name: "Hero",
                fields: [
                    .field(\.id, "id", primaryKey: .given),
                ],
                indexes: Self.indexes
            )
            \#(access)var primaryKey: PrimaryKey {
                self.id
            }
            @inline(__always)
            \#(access)init(row: inout DBClientCore.RowReader) throws {
                self.init(
                    id: DBClientCore.RowReader.value(try row.read(), of: \Self.id)
                )
            }
            \#(access)func write(to row: inout DBClientCore.RowWriter) throws {
                try row.write(self.id)
            }
        }
        """#
    }

    @Test(
        "Public and package structs have members that say so, others need none",
        arguments: [
            ("public ", "public "), ("package ", "package "), ("internal ", ""),
            ("fileprivate ", ""), ("private ", ""),
        ]
    )
    func copiesModifier(declared: String, generated: String) {
        assertExpansion(
            """
            @Stored \(declared)struct Hero {
                let id: Int
            }
            """,
            """
            \(declared)struct Hero {
                let id: Int
            }

            \(heroExtension(generated))
            """
        )
    }

    @Test("A struct in another type is extended by its full name")
    func extendsNestedStruct() {
        assertExpansion(
            """
            enum Comics {
                @Stored public struct Hero {
                    let id: Int
                }
            }
            """,
            """
            enum Comics {
                public struct Hero {
                    let id: Int
                }
            }

            \(heroExtension(of: "Comics.Hero", "public "))
            """
        )
    }

    @Test(
        "Members of a struct that another type or an extension hides say that they are hidden",
        arguments: [
            ("private enum", "", "fileprivate "), ("fileprivate enum", "", "fileprivate "),
            ("private enum", "public ", "fileprivate "), ("private extension", "", "fileprivate "),
            ("fileprivate extension", "internal ", "fileprivate "),
            ("private enum", "fileprivate ", ""), ("enum", "fileprivate ", ""),
            ("public enum", "", ""),
        ]
    )
    func hidesMembers(outer: String, declared: String, generated: String) {
        assertExpansion(
            """
            \(outer) Comics {
                @Stored \(declared)struct Hero {
                    let id: Int
                }
            }
            """,
            """
            \(outer) Comics {
                \(declared)struct Hero {
                    let id: Int
                }
            }

            \(heroExtension(of: "Comics.Hero", generated))
            """
        )
    }

    @Test("Members of a struct two levels inside a private type say that they are hidden")
    func hidesMembersOfDeeperStruct() {
        assertExpansion(
            """
            private enum Comics {
                struct Marvel {
                    @Stored struct Hero {
                        let id: Int
                    }
                }
            }
            """,
            """
            private enum Comics {
                struct Marvel {
                    struct Hero {
                        let id: Int
                    }
                }
            }

            \(heroExtension(of: "Comics.Marvel.Hero", "fileprivate "))
            """
        )
    }

    @Test("A struct in a public extension is public")
    func followsExtension() {
        assertExpansion(
            """
            public extension Comics {
                @Stored struct Hero {
                    let id: Int
                }
            }
            """,
            """
            public extension Comics {
                struct Hero {
                    let id: Int
                }
            }

            \(heroExtension(of: "Comics.Hero", "public "))
            """
        )
    }

    @Test("The extension is available where the struct is")
    func copiesAvailability() {
        assertExpansion(
            """
            @available(macOS 26, *)
            @Stored struct Hero {
                let id: Int
            }
            """,
            """
            @available(macOS 26, *)
            struct Hero {
                let id: Int
            }

            @available(macOS 26, *)
            \(heroExtension(""))
            """
        )
    }
}
#endif

// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

let package = Package(
    name: "DBClient",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "DBClientCore", targets: ["DBClientCore"]),
        .library(name: "DBClientObjectStore", targets: ["DBClientObjectStore"]),
        .library(name: "DBClientSQL", targets: ["DBClientSQL"]),
        .library(name: "DBClientSQLite", targets: ["DBClientSQLite"]),
        .library(name: "DBClientPostgreSQL", targets: ["DBClientPostgreSQL"]),
        .library(name: "DBClientTesting", targets: ["DBClientTesting"]),
    ],
    traits: [
        .trait(
            name: "Macros",
            description: "@Stored and its companions; without it swift-syntax is not built."
        ),
        .default(enabledTraits: ["Macros"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"700.0.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
    ],
    targets: [
        // The user's face and the engine's contract. Imports no database.
        .target(
            name: "DBClientCore",
            dependencies: [.target(name: "DBClientMacros", condition: .when(traits: ["Macros"]))]
        ),
        .macro(
            name: "DBClientMacros",
            dependencies: [
                .product(
                    name: "SwiftSyntaxMacros",
                    package: "swift-syntax",
                    condition: .when(traits: ["Macros"])
                ),
                .product(
                    name: "SwiftCompilerPlugin",
                    package: "swift-syntax",
                    condition: .when(traits: ["Macros"])
                ),
            ]
        ),

        // The embedded object store.
        .systemLibrary(
            name: "CLMDB",
            pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]
        ),
        .target(name: "DBClientObjectStore", dependencies: ["DBClientCore", "CLMDB"]),

        // The relational client and its drivers.
        .target(name: "DBClientSQL", dependencies: ["DBClientCore"]),
        .target(
            name: "DBClientSQLite",
            dependencies: [
                "DBClientSQL",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),

        .systemLibrary(
            name: "CLibPQ",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(name: "DBClientPostgreSQL", dependencies: ["DBClientSQL", "CLibPQ"]),

        // The conformance suite, the reference client, generators and fixtures.
        .target(name: "DBClientTesting", dependencies: ["DBClientCore"]),

        .testTarget(name: "DBClientCoreTests", dependencies: ["DBClientCore", "DBClientTesting"]),
        .testTarget(
            name: "DBClientMacrosTests",
            dependencies: [
                "DBClientMacros",
                .product(
                    name: "SwiftSyntaxMacrosGenericTestSupport",
                    package: "swift-syntax",
                    condition: .when(traits: ["Macros"])
                ),
                .product(
                    name: "SwiftSyntaxMacroExpansion",
                    package: "swift-syntax",
                    condition: .when(traits: ["Macros"])
                ),
            ]
        ),
        .testTarget(
            name: "DBClientObjectStoreTests",
            dependencies: ["DBClientObjectStore", "DBClientTesting"]
        ),
        .testTarget(
            name: "DBClientSQLiteTests",
            dependencies: ["DBClientSQLite", "DBClientTesting"]
        ),
        .testTarget(
            name: "DBClientPostgreSQLTests",
            dependencies: ["DBClientPostgreSQL", "DBClientTesting"]
        ),
        // The second process of the tests with two.
        .executableTarget(
            name: "StoreChild",
            dependencies: ["DBClientObjectStore", "DBClientSQLite"],
            path: "Tests/StoreChild"
        ),
        .testTarget(
            name: "DBClientProcessTests",
            dependencies: ["DBClientObjectStore", "DBClientSQLite", "StoreChild"]
        ),
        .testTarget(
            name: "DBClientConformanceTests",
            dependencies: [
                "DBClientObjectStore", "DBClientSQLite", "DBClientPostgreSQL", "DBClientTesting",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
        ]
}

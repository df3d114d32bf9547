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
        .library(name: "DBClientSQLCipher", targets: ["DBClientSQLCipher"]),
        .library(name: "DBClientPostgreSQL", targets: ["DBClientPostgreSQL"]),
        .library(name: "DBClientObservability", targets: ["DBClientObservability"]),
        .library(name: "DBClientServiceLifecycle", targets: ["DBClientServiceLifecycle"]),
        .library(name: "DBClientInMemory", targets: ["DBClientInMemory"]),
        .library(name: "DBClientLive", targets: ["DBClientLive"]),
        .library(name: "DBClientTestSupport", targets: ["DBClientTestSupport"]),
        .library(name: "DBClientTesting", targets: ["DBClientTesting"]),
    ],
    traits: [
        .trait(
            name: "Macros",
            description: "@Stored and its companions; without it swift-syntax is not built."
        ),
        .trait(
            name: "Observability",
            description: "Logs, metrics and traces; without it DBClientObservability is empty."
        ),
        .trait(
            name: "ServiceLifecycle",
            description: "Clients as services; without it DBClientServiceLifecycle is empty."
        ),
        .trait(
            name: "Encryption",
            description:
                "Stores that are encrypted with a key; without it swift-crypto is not built."
        ),
        // The gate tests all of them, in this package and in those that depend on it.
        .default(
            enabledTraits: Context.environment["DBCLIENT_TESTS"] == nil
                ? ["Macros"] : ["Macros", "Observability", "ServiceLifecycle", "Encryption"]
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"700.0.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
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
        // The headers of C libraries, compiled first, so that a missing one is named at once.
        .target(name: "CLMDBHeader", dependencies: ["CLMDB"]),
        .target(
            name: "DBClientObjectStore",
            dependencies: [
                "DBClientCore", "CLMDB",
                .target(name: "CLMDBHeader", condition: .when(platforms: [.linux])),
                .product(
                    name: "Crypto",
                    package: "swift-crypto",
                    condition: .when(traits: ["Encryption"])
                ),
                .product(
                    name: "CryptoExtras",
                    package: "swift-crypto",
                    condition: .when(traits: ["Encryption"])
                ),
            ]
        ),

        // The relational client and its drivers.
        .target(name: "DBClientSQL", dependencies: ["DBClientCore"]),
        // GRDB links the library; these two name the packages of a missing one, the first in SwiftPM's
        // warning, the second in the compiler's error.
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .target(name: "CSQLiteHeader"),
        .target(name: "CSQLiteFiles"),
        .target(
            name: "DBClientSQLite",
            dependencies: [
                "DBClientSQL", "CSQLiteFiles",
                .target(name: "CSQLite", condition: .when(platforms: [.linux])),
                .target(name: "CSQLiteHeader", condition: .when(platforms: [.linux])),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(
                    name: "CryptoExtras",
                    package: "swift-crypto",
                    condition: .when(traits: ["Encryption"])
                ),
            ]
        ),
        // SQLCipher in the place of SQLite, for a whole program. On Linux from its archive: a shared library would have
        // to stand before SQLite's on the linker's command line. What is here for Apple's systems was not tried.
        .target(
            name: "DBClientSQLCipher",
            linkerSettings: [
                .linkedLibrary(":libsqlcipher.a", .when(platforms: [.linux])),
                .linkedLibrary("crypto", .when(platforms: [.linux])),
                .linkedLibrary(
                    "sqlcipher",
                    .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])
                ),
            ]
        ),

        .systemLibrary(
            name: "CLibPQ",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(name: "CLibPQHeader", dependencies: ["CLibPQ"]),
        .target(
            name: "DBClientPostgreSQL",
            dependencies: [
                "DBClientSQL", "CLibPQ",
                .target(name: "CLibPQHeader", condition: .when(platforms: [.linux])),
            ]
        ),

        // Logs, metrics and traces of any client.
        .target(
            name: "DBClientObservability",
            dependencies: [
                "DBClientCore",
                .product(
                    name: "Logging",
                    package: "swift-log",
                    condition: .when(traits: ["Observability"])
                ),
                .product(
                    name: "Metrics",
                    package: "swift-metrics",
                    condition: .when(traits: ["Observability"])
                ),
                .product(
                    name: "Tracing",
                    package: "swift-distributed-tracing",
                    condition: .when(traits: ["Observability"])
                ),
            ]
        ),

        // A client of any engine as a service of a server's.
        .target(
            name: "DBClientServiceLifecycle",
            dependencies: [
                "DBClientCore",
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])
                ),
            ]
        ),

        // Objects that views hold, and what brings them to SwiftUI, UIKit and AppKit.
        .target(name: "DBClientLive", dependencies: ["DBClientCore"]),

        // The reference client: tests and previews.
        .target(name: "DBClientInMemory", dependencies: ["DBClientCore"]),

        // Spies, expectations and generators; with the reference client.
        .target(name: "DBClientTestSupport", dependencies: ["DBClientCore", "DBClientInMemory"]),

        // The conformance suite and its fixtures, which are written with macros.
        .target(name: "DBClientTesting", dependencies: ["DBClientCore", "DBClientTestSupport"]),

        .testTarget(
            name: "DBClientCoreTests",
            dependencies: ["DBClientCore", "DBClientTesting", "TrustRow"]
        ),
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
            dependencies: ["CLMDB", "DBClientObjectStore", "DBClientTesting", "TrustRow"]
        ),
        .testTarget(
            name: "DBClientLiveTests",
            dependencies: [
                "DBClientLive", "DBClientObjectStore", "DBClientSQLite", "DBClientTesting",
                "LiveFrames",
            ]
        ),
        // A main thread as an app has it, for the tests of what that is spared.
        .executableTarget(
            name: "LiveFrames",
            dependencies: ["DBClientLive", "DBClientObjectStore"],
            path: "Tests/LiveFrames"
        ),
        .testTarget(
            name: "DBClientSQLiteTests",
            dependencies: [
                "DBClientSQLite", "DBClientTesting", "TrustRow",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "DBClientPostgreSQLTests",
            dependencies: [
                "DBClientPostgreSQL", "DBClientTesting", "StoreChild", "StoreEntry", "TrustRow",
            ]
        ),
        .testTarget(
            name: "DBClientObservabilityTests",
            dependencies: [
                "DBClientObservability", "DBClientTesting",
                .product(
                    name: "InMemoryLogging",
                    package: "swift-log",
                    condition: .when(traits: ["Observability"])
                ),
                .product(
                    name: "MetricsTestKit",
                    package: "swift-metrics",
                    condition: .when(traits: ["Observability"])
                ),
                .product(
                    name: "InMemoryTracing",
                    package: "swift-distributed-tracing",
                    condition: .when(traits: ["Observability"])
                ),
            ]
        ),
        .testTarget(
            name: "DBClientServiceLifecycleTests",
            dependencies: [
                "DBClientServiceLifecycle", "DBClientPostgreSQL", "DBClientTesting",
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])
                ),
                .product(
                    name: "ServiceLifecycleTestKit",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])
                ),
                .product(
                    name: "Logging",
                    package: "swift-log",
                    condition: .when(traits: ["ServiceLifecycle"])
                ),
            ]
        ),
        // The second process of the tests with two.
        .executableTarget(
            name: "StoreChild",
            dependencies: [
                "CFaults", "CLMDB", "DBClientObjectStore", "DBClientPostgreSQL", "DBClientSQLite",
                "DBClientTesting", "StoreEntry",
            ],
            path: "Tests/StoreChild"
        ),
        // The tests of encrypted SQLite files: SQLCipher is in the place of SQLite in all of a program.
        .executableTarget(
            name: "EncryptedSQLite",
            dependencies: [
                "DBClientSQLite", "DBClientSQLCipher", "DBClientTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/EncryptedSQLite"
        ),
        .target(
            name: "CFaults",
            path: "Tests/CFaults",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        ),
        .target(name: "StoreEntry", dependencies: ["DBClientCore"], path: "Tests/StoreEntry"),
        // How the tests that are rows of the scoreboard are sized, and tell what they have reached.
        .target(name: "TrustRow", path: "Tests/TrustRow"),
        // What decodes bytes from outside, and the inputs that it is tried with.
        .target(
            name: "Fuzzing",
            dependencies: [
                "CLMDB", "CLibPQ", "DBClientObjectStore", "DBClientPostgreSQL", "DBClientSQLite",
                "DBClientTestSupport",
            ],
            path: "Tests/Fuzzing",
            exclude: ["Corpus"]
        ),
        .testTarget(name: "DBClientFuzzTests", dependencies: ["Fuzzing", "TrustRow"]),
        .testTarget(
            name: "DBClientProcessTests",
            dependencies: [
                "DBClientObjectStore", "DBClientSQLite", "DBClientTesting", "StoreChild",
                "StoreEntry", "TrustRow",
            ]
        ),
        .testTarget(
            name: "DBClientConformanceTests",
            dependencies: [
                "DBClientObjectStore", "DBClientObservability", "DBClientSQLite",
                "DBClientPostgreSQL", "DBClientTesting", "TrustRow",
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

// The tests of the macros run on the host, and would take every library there with them, so that the gate builds them
// apart. `swift test` builds and runs all.
switch Context.environment["DBCLIENT_TESTS"] {
case "macros": package.targets.removeAll { $0.type == .test && $0.name != "DBClientMacrosTests" }
case "libraries": package.targets.removeAll { $0.name == "DBClientMacrosTests" }
default: break
}

// Where SQLCipher is not installed, all but its tests can be built.
if Context.environment["DBCLIENT_SQLCIPHER"] == nil {
    package.targets.removeAll { $0.name == "EncryptedSQLite" }
}

// The tests spend their time in the libraries, which the gate has optimised, with assertions.
if Context.environment["DBCLIENT_OPTIMIZED"] != nil {
    let libraries = Set(package.products.map(\.name)).subtracting([
        "DBClientTestSupport", "DBClientTesting",
    ])
    for target in package.targets where libraries.contains(target.name) {
        target.swiftSettings =
            (target.swiftSettings ?? []) + [.unsafeFlags(["-O", "-assert-config", "Debug"])]
    }
}

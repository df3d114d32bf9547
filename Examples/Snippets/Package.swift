// swift-tools-version: 6.1
import PackageDescription

// The code of README.md and of the articles, so that it is compiled and run.
let package = Package(
    name: "Snippets",
    platforms: [.macOS(.v15)],
    dependencies: [
        // The gate makes every trait a default one, and builds the libraries once.
        Context.environment["DBCLIENT_TESTS"] == nil
            ? .package(
                name: "DBClient",
                path: "../..",
                traits: [.defaults, "Observability", "ServiceLifecycle", "Encryption"]
            ) : .package(name: "DBClient", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "ReadMe",
            dependencies: [
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientObjectStore", package: "DBClient"),
            ]
        ),
        .executableTarget(
            name: "Tutorial",
            dependencies: [
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientObjectStore", package: "DBClient"),
            ]
        ),
        .target(
            name: "Snippets",
            dependencies: [
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientLive", package: "DBClient"),
                .product(name: "DBClientObjectStore", package: "DBClient"),
                .product(name: "DBClientObservability", package: "DBClient"),
                .product(name: "DBClientSQL", package: "DBClient"),
                .product(name: "DBClientSQLite", package: "DBClient"),
                .product(name: "DBClientTesting", package: "DBClient"),
            ]
        ),
        .testTarget(
            name: "SnippetsTests",
            dependencies: [
                "Snippets",
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientLive", package: "DBClient"),
                .product(name: "DBClientSQLite", package: "DBClient"),
                .product(name: "DBClientTesting", package: "DBClient"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.1
import PackageDescription

// The command. A package of its own, so that users of the library fetch nothing of it.
let package = Package(
    name: "Tool",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "dbclient", targets: ["dbclient"]),
        .plugin(name: "GenerateModels", targets: ["GenerateModels"]),
    ],
    dependencies: [
        // The gate makes every trait a default one, and builds the libraries once.
        Context.environment["DBCLIENT_TESTS"] == nil
            ? .package(
                name: "DBClient",
                path: "..",
                traits: [.defaults, "Observability", "ServiceLifecycle", "Encryption"]
            ) : .package(name: "DBClient", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.0",
            traits: []
        ),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        .executableTarget(
            name: "dbclient",
            dependencies: [
                "DBClientBrowser", "DBClientTool",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // The page on a store, and the server behind it.
        .target(
            name: "DBClientBrowser",
            dependencies: [
                "DBClientTool",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientSQL", package: "DBClient"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.embedInCode("Page")]
        ),
        .target(
            name: "DBClientTool",
            dependencies: [
                "ModelGenerator",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientObjectStore", package: "DBClient"),
                .product(name: "DBClientPostgreSQL", package: "DBClient"),
                .product(name: "DBClientSQL", package: "DBClient"),
                .product(name: "DBClientSQLite", package: "DBClient"),
            ]
        ),
        // Swift models of the tables of a database.
        .target(
            name: "ModelGenerator",
            dependencies: [
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientPostgreSQL", package: "DBClient"),
                .product(name: "DBClientSQL", package: "DBClient"),
                .product(name: "DBClientSQLite", package: "DBClient"),
            ]
        ),
        // swift package dbclient-generate, in a package that depends on this one.
        .plugin(
            name: "GenerateModels",
            capability: .command(
                intent: .custom(
                    verb: "dbclient-generate",
                    description: "Writes Swift models of a database into the package."
                ),
                permissions: [
                    .writeToPackageDirectory(reason: "The models are written into the package.")
                ]
            ),
            dependencies: ["dbclient"]
        ),
        .testTarget(
            name: "DBClientToolTests",
            dependencies: [
                "DBClientBrowser", "DBClientTool", "dbclient",
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientObjectStore", package: "DBClient"),
                .product(name: "DBClientPostgreSQL", package: "DBClient"),
                .product(name: "DBClientSQLite", package: "DBClient"),
            ]
        ),
        .testTarget(
            name: "ModelGeneratorTests",
            dependencies: [
                "ModelGenerator",
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientPostgreSQL", package: "DBClient"),
                .product(name: "DBClientSQL", package: "DBClient"),
                .product(name: "DBClientSQLite", package: "DBClient"),
            ],
            // Compiled by the tests, with what they generate.
            exclude: ["Programs"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// With the plugin everything is built a second time, for it; its test has a package of its own.
if Context.environment["DBCLIENT_TESTS"] != nil {
    package.targets.removeAll { $0.type == .plugin }
    package.products.removeAll { $0.name == "GenerateModels" }
}

for target in package.targets where target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}

// swift-tools-version: 6.1
import PackageDescription

// The command. A package of its own, so that users of the library fetch nothing of it.
let package = Package(
    name: "Tool",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "dbclient", targets: ["dbclient"])
    ],
    dependencies: [
        // In this order, the compiler gets what script/test gives it, and its libraries serve here.
        .package(
            name: "DBClient",
            path: "..",
            traits: ["Macros", "ServiceLifecycle", "Observability"]
        ),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .executableTarget(
            name: "dbclient",
            dependencies: [
                "DBClientTool",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
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
        .testTarget(
            name: "DBClientToolTests",
            dependencies: [
                "DBClientTool", "dbclient",
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

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}

// swift-tools-version: 6.1
import PackageDescription

// The command `dbclient`, and what it is made of.
let package = Package(
    name: "Tool",
    platforms: [.macOS(.v15)],
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
        .target(
            name: "DBClientTool",
            dependencies: [
                "ModelGenerator",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
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

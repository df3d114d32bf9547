// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Heroes",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "DBClient", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .executableTarget(
            name: "Heroes",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientObjectStore", package: "DBClient"),
                .product(name: "DBClientPostgreSQL", package: "DBClient"),
                .product(name: "DBClientSQLite", package: "DBClient"),
                .product(name: "DBClientInMemory", package: "DBClient"),
            ],
            resources: [.process("Resources")]
        )
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

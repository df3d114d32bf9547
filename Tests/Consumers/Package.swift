// swift-tools-version: 6.1
import PackageDescription

// Three programs that each use one engine, without macros: what they link is what that engine costs.
let package = Package(
    name: "Consumers",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "DBClient", path: "../..", traits: [])],
    targets: [
        .target(
            name: "Notes",
            dependencies: [.product(name: "DBClientCore", package: "DBClient")]
        ),
        .executableTarget(
            name: "ConsumesObjectStore",
            dependencies: [
                "Notes",
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientObjectStore", package: "DBClient"),
            ]
        ),
        .executableTarget(
            name: "ConsumesSQLite",
            dependencies: [
                "Notes",
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientSQLite", package: "DBClient"),
            ]
        ),
        .executableTarget(
            name: "ConsumesPostgreSQL",
            dependencies: [
                "Notes",
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientPostgreSQL", package: "DBClient"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "DBClient", path: "..", traits: []),
        // The version that the report names.
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        // The baseline's own view of LMDB, so that nothing of the library is under it.
        .systemLibrary(
            name: "CRawLMDB",
            pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]
        ),
        .systemLibrary(
            name: "CRawLibPQ",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .systemLibrary(name: "CMalloc"),
        .executableTarget(
            name: "Benchmark",
            dependencies: [
                "CMalloc",
                "CRawLMDB",
                "CRawLibPQ",
                .product(name: "DBClientCore", package: "DBClient"),
                .product(name: "DBClientInMemory", package: "DBClient"),
                .product(name: "DBClientObjectStore", package: "DBClient"),
                .product(name: "DBClientPostgreSQL", package: "DBClient"),
                .product(name: "DBClientSQL", package: "DBClient"),
                .product(name: "DBClientSQLite", package: "DBClient"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
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

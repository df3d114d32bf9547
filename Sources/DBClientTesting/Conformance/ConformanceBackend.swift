public import DBClientCore
public import Foundation

/// A backend as the conformance suite sees it: how to make a new, empty store of it.
///
/// ```swift
/// let backend = ConformanceBackend.file("object store") { try ObjectStoreDBClient(at: $0) }
/// try await ConformanceSuite.run(on: backend)
/// ```
public struct ConformanceBackend: Sendable, CustomStringConvertible {
    /// The name of the backend, by which reports and failures call it.
    public let name: String
    /// The capabilities that the backend lacks, each with the reason.
    public let exclusions: [Capability: String]
    /// Makes a store that is empty and not shared.
    public let makeStore: @Sendable () throws -> ConformanceStore

    /// Creates a backend.
    ///
    /// - Parameters:
    ///   - name: The backend's name in reports.
    ///   - exclusions: The capabilities that the backend lacks, each with the reason.
    ///   - makeStore: Makes a store that is empty and not shared.
    public init(
        _ name: String,
        excluding exclusions: [Capability: String] = [:],
        makeStore: @escaping @Sendable () throws -> ConformanceStore
    ) {
        self.name = name
        self.exclusions = exclusions
        self.makeStore = makeStore
    }

    /// Returns a backend whose stores live in memory and are gone with their clients.
    ///
    /// - Parameters:
    ///   - name: The backend's name in reports.
    ///   - exclusions: What the backend cannot do besides keeping what was written.
    ///   - open: Makes a client of a new store.
    /// - Returns: The backend.
    public static func memory(
        _ name: String,
        excluding exclusions: [Capability: String] = [:],
        open: @escaping @Sendable () async throws -> any DBClient
    ) -> ConformanceBackend {
        let exclusions = exclusions.merging(
            [
                .persistence: "The store is gone with its client.",
                .severalClients: "Each client has a store of its own.",
            ],
            uniquingKeysWith: { $1 }
        )
        return ConformanceBackend(name, excluding: exclusions) {
            ConformanceStore(open: open, remove: {})
        }
    }

    /// Returns a backend whose stores are files, each in a temporary folder of its own.
    ///
    /// - Parameters:
    ///   - name: The backend's name in reports.
    ///   - exclusions: What the backend cannot do.
    ///   - open: Makes a client of the store at a URL, where there may be none yet.
    /// - Returns: The backend.
    public static func file(
        _ name: String,
        excluding exclusions: [Capability: String] = [:],
        open: @escaping @Sendable (URL) async throws -> any DBClient
    ) -> ConformanceBackend {
        ConformanceBackend(name, excluding: exclusions) {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("DBClientConformance-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let url = folder.appendingPathComponent("store")
            return ConformanceStore(
                open: { try await open(url) },
                remove: { try? FileManager.default.removeItem(at: folder) }
            )
        }
    }

    /// The name of the backend, as reports show it.
    public var description: String { name }
}

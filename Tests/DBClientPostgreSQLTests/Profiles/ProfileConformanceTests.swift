import DBClientCore
import DBClientPostgreSQL
import DBClientTesting
import Foundation
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// The conformance suite through filters that refuse what products refuse.
///
/// By default the bare profile runs the concerns that touch a feature, and each product those of its differences.
/// `DBCLIENT_PROFILES=all`, or names separated by commas, runs whole profiles; `DBCLIENT_CONCERNS` chooses concerns.
@Suite(.enabled(if: Server.isThere), .serialized)
struct ProfileConformanceTests {
    @Test("A profile keeps the promise", arguments: ProfileRun.chosen)
    func conforms(_ run: ProfileRun) async throws {
        let promise = run.promise.description
        let backend = try run.profile.backend(
            knowing: ServerProfile.countingPromises.contains(promise)
        )
        guard let reason = run.profile.exclusion(of: promise) else {
            try await ConformanceSuite.run(run.promise, on: backend)
            return
        }
        // What is excluded is refused, by a name.
        do {
            try await ConformanceSuite.run(run.promise, on: backend)
            Issue.record("It is kept, though it is excluded: \(reason)")
        } catch let error as DBClientError {
            #expect(error.code == .unsupported, "\(error.debugDescription)")
        } catch let error as ConformanceFailure {
            #expect("\(error)".contains("unsupported"), "\(error)")
        }
    }

    @Test("Every exclusion is of a promise that there is")
    func exclusionsExist() {
        let names = ConformanceSuite.cases.map(\.description)
        let excluded = ServerProfile.all.flatMap(\.exclusions).flatMap(\.promises)
        for beginning in excluded + ServerProfile.countingPromises {
            #expect(
                names.contains { $0.hasPrefix(beginning) || $0.hasSuffix(beginning) },
                "\(beginning)"
            )
        }
    }
}

/// One promise on one profile.
struct ProfileRun: Sendable, CustomStringConvertible {
    let profile: ServerProfile
    let promise: ConformanceCase

    var description: String { "\(profile): \(promise)" }

    /// Those that the environment asks for.
    static var chosen: [ProfileRun] {
        let concerns = names(in: "DBCLIENT_CONCERNS")
        let profiles = names(in: "DBCLIENT_PROFILES")
        return ServerProfile.all.flatMap { profile -> [ProfileRun] in
            let isWhole = profiles.map { $0.contains("all") || $0.contains(profile.name) }
            if isWhole == false { return [] }
            return ConformanceSuite.cases.filter { promise in
                if let concerns { return concerns.contains(promise.concern.rawValue) }
                return isWhole == true || profile.concerns.contains(promise.concern)
                    || profile.promises.contains { promise.name.hasSuffix($0) }
            }
            .map { ProfileRun(profile: profile, promise: $0) }
        }
    }

    private static func names(in variable: String) -> [String]? {
        ProcessInfo.processInfo.environment[variable]?.split(separator: ",").map(String.init)
    }
}

extension ServerProfile {
    /// The concerns that the profile runs by default.
    var concerns: Set<ConformanceConcern> {
        switch name {
        case Self.bare.name:
            [
                .keys, .insert, .upsert, .transactions, .savepoints, .concurrency, .observation,
                .migrations, .severalClients,
            ]
        case Self.cockroachDB.name: [.values, .upsert]
        default: [.upsert]
        }
    }

    /// The ends of the names of promises of other concerns that the profile runs by default.
    var promises: [String] {
        // It makes columns of another type than those that are declared.
        name == Self.cockroachDB.name
            ? [" is read as no other type, unless it is written alike"] : []
    }

    /// A backend whose stores are schemas of the shared server, behind a filter.
    ///
    /// - Parameter isKnown: Whether clients know ahead what the server lacks.
    /// - Returns: The backend.
    /// - Throws: That the filter does not start.
    func backend(knowing isKnown: Bool) throws -> ConformanceBackend {
        let url = try #require(Server.url)
        let proxy = try Proxies.proxy(of: self)
        return ConformanceBackend(name) {
            let administrator = try Proxies.administrator(url)
            let schema = "profile_\(UUID().uuidString)"
            try administrator.blocking.execute("CREATE SCHEMA \(identifier: schema)")
            return ConformanceStore(
                open: {
                    var configuration = PostgreSQLConfiguration()
                    // What survives the server's own crash waits for its disk.
                    configuration.durability = .relaxed
                    let client = try await Server.client(
                        port: proxy.port,
                        schema: schema,
                        configuration
                    )
                    let engine = client.engine as? PostgreSQLEngine
                    for feature in PostgreSQLFeature.allCases where isKnown {
                        engine?.pool.parameters.features.note(feature)
                    }
                    return client
                },
                remove: {
                    _ = try? administrator.blocking.execute(
                        "DROP SCHEMA \(identifier: schema) CASCADE"
                    )
                }
            )
        }
    }
}

/// The filters and the client that all profiles share.
private enum Proxies {
    private static let proxies = Mutex<[String: FilterProxy]>([:])
    private static let client = Mutex<SQLDBClient?>(nil)

    static func proxy(of profile: ServerProfile) throws -> FilterProxy {
        try proxies.withLock { proxies in
            if let proxy = proxies[profile.name] { return proxy }
            let proxy = try FilterProxy(profile, to: Server.port)
            proxies[profile.name] = proxy
            return proxy
        }
    }

    static func administrator(_ url: String) throws -> SQLDBClient {
        try client.withLock { client in
            if let client { return client }
            let made = try SQLDBClient.postgreSQLBlocking(url)
            client = made
            return made
        }
    }
}

import DBClientCore
import DBClientSQL
import Foundation
import Synchronization

/// What the server of a client was found to be and to lack, by any of the client's connections.
///
/// Nothing is asked ahead: a feature is missing once the server has refused it.
final class ServerFeatures: Sendable {
    private let missing = Atomic<UInt64>(0)
    /// The names of tables of the client's schema that have a dot.
    let wholeNames = WholeTableNames()
    private let named = Mutex<(product: String, version: String)?>(nil)

    /// Whether the server is known to lack a feature.
    @inline(__always)
    func lacks(_ feature: PostgreSQLFeature) -> Bool {
        let missing = missing.load(ordering: .relaxed)
        return missing != 0 && missing & Self.bit(feature) != 0
    }

    /// Notes that the server lacks a feature, and returns whether that is news.
    @discardableResult
    func note(_ feature: PostgreSQLFeature) -> Bool {
        let bit = Self.bit(feature)
        return missing.bitwiseOr(bit, ordering: .relaxed).oldValue & bit == 0
    }

    /// The features that the server is known to lack.
    var all: Set<PostgreSQLFeature> {
        if missing.load(ordering: .relaxed) == 0 { return [] }
        return Set(PostgreSQLFeature.allCases.filter(lacks))
    }

    /// What the server is, as far as its first answers say.
    var product: (name: String, version: String) {
        let named = named.withLock { $0 }
        return (named?.product ?? "PostgreSQL", named?.version ?? "")
    }

    /// Whether the server makes columns of other types than a statement says: `jsonb` in place of `json`.
    var changesColumns: Bool { product.name == Self.cockroach }

    private static let cockroach = "CockroachDB"

    /// Learns what the server is from what it reports of itself when a session begins.
    func learn(from link: Link) {
        let version = link.reported("server_version")
        if let cockroach = link.reported("crdb_version") {
            named.withLock { $0 = (Self.cockroach, Self.versionNumber(in: cockroach)) }
            // It has functions of the name that lock nothing.
            note(.advisoryLocks)
        } else if let version, let mark = version.range(of: "-YB-") {
            named.withLock { $0 = ("YugabyteDB", String(version[mark.upperBound...])) }
        } else if let version {
            named.withLock { $0 = ("PostgreSQL", version) }
        }
    }

    /// Returns the part of a server's self-description that looks like a version.
    private static func versionNumber(in text: String) -> String {
        let words = text.split(separator: " ")
        let word = words.first { $0.hasPrefix("v") && $0.dropFirst().first?.isNumber == true }
        return word.map { String($0.dropFirst()) } ?? text
    }

    private static func bit(_ feature: PostgreSQLFeature) -> UInt64 {
        1 << UInt64(PostgreSQLFeature.allCases.firstIndex(of: feature) ?? 63)
    }
}

extension DBClientError {
    /// Whether a server says by an error that it lacks a feature, or keeps it from the role.
    func isRefusal(of feature: PostgreSQLFeature) -> Bool {
        guard let state = sqlState, feature.refusals.contains(state), code != .readOnly else {
            return false
        }
        let isAboutName =
            ["42883", "42P01", "42703", "42704"].contains(state) || feature == .byteCollation
        guard isAboutName, !feature.names.isEmpty else { return true }
        // Names are part of a message in any language.
        let message = engineMessage ?? ""
        return feature.names.contains { message.contains($0) }
    }
}

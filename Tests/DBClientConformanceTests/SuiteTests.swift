import DBClientCore
import DBClientTesting
import Foundation
import Testing

/// The suite must fail where a backend is wrong.
struct SuiteTests {
    @Test("Every list of cases is a part of the suite")
    func listsAreRegistered() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let folder = root.appendingPathComponent("Sources/DBClientTesting/Conformance")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
        let texts = try files.map {
            try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
        }
        let lists = texts.filter { $0.contains("static let all: [ConformanceCase]") }.flatMap {
            $0.matches(of: /enum (\w+Cases) \{/).map { String($0.1) }
        }
        #expect(lists.count >= 80)
        let all = texts.joined()
        for list in lists { #expect(all.contains("\(list).all")) }
    }

    @Test("A backend with a fault fails", arguments: Fault.allCases)
    func faultsAreFound(_ fault: Fault) async throws {
        let backend = ConformanceBackend.memory("faulty") { FaultyClient(fault) }
        for promise in ConformanceSuite.cases where fault.concerns.contains(promise.concern) {
            do { try await ConformanceSuite.run(promise, on: backend) } catch { return }
        }
        Issue.record("No case fails.")
    }

    @Test("A backend with a fault differs from the oracle", arguments: Fault.allCases)
    func faultsDiffer(_ fault: Fault) async throws {
        let backend = ConformanceBackend.memory("faulty") { FaultyClient(fault) }
        let test = DifferentialTest(sequences: 2_000, steps: 20, seed: 1, shrinkAttempts: 200)
        let failure = await #expect(throws: ConformanceFailure.self) {
            try await test.run(on: backend)
        }
        #expect(failure?.message.contains("DBCLIENT_SEED=") == true)
    }

    @Test("A case of made-up text names its seed, whatever the backend throws")
    func seedsAreNamed() async throws {
        let refusal = DBClientError(.engine, "It takes no such text.")
        let backend = ConformanceBackend.memory("refusing") {
            FailingDBClient(InMemoryDBClient(), atCall: 1, with: refusal) { $0.kind == .insert }
        }
        let cases = ConformanceSuite.cases.filter { $0.name.hasPrefix("made-up text is compared") }
        #expect(!cases.isEmpty)
        for promise in cases {
            let failure = await #expect(throws: ConformanceFailure.self) {
                try await ConformanceSuite.run(promise, on: backend)
            }
            #expect(failure?.message.contains("DBCLIENT_SEED=") == true)
            #expect(failure?.message.contains("\(refusal)") == true)
        }
    }

    @Test("A backend without a fault passes through the same wrapper")
    func wrapperIsFaithful() async throws {
        let backend = ConformanceBackend.memory("faithful") { FaultyClient(nil) }
        for promise in ConformanceSuite.cases where promise.concern == .crud {
            try await ConformanceSuite.run(promise, on: backend)
        }
        try await DifferentialTest(sequences: 30).run(on: backend)
    }

    @Test("An excluded capability must be refused with .unsupported")
    func exclusionsAreChecked() async throws {
        let backend = ConformanceBackend.memory(
            "untruthful",
            excluding: [.wildcards: "It says so."]
        ) { InMemoryDBClient() }
        let cases = ConformanceSuite.cases.filter { $0.requirements.contains(.wildcards) }
        #expect(!cases.isEmpty)
        for promise in cases {
            await #expect(throws: ConformanceFailure.self) {
                try await ConformanceSuite.run(promise, on: backend)
            }
        }
    }

    @Test("A capability that is no call is left out with its reason")
    func propertiesAreLeftOut() async throws {
        let cases = ConformanceSuite.cases.filter { $0.requirements.contains(.persistence) }
        #expect(!cases.isEmpty)
        for promise in cases {
            let outcome = try await ConformanceSuite.run(promise, on: Backends.inMemory)
            #expect(outcome == .excluded(reason: "The store is gone with its client."))
        }
    }
}

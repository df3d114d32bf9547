import DBClientCore
import Foundation
import Testing

@testable import DBClientTesting

/// What is kept follows the commits of another process: each state that is told is one that the store had, and the last
/// is told.
@Suite(.serialized, .timeLimit(.minutes(15))) struct KeptProcessTests {
    @Test(arguments: ProcessTests.Engine.allCases, 1...3 as ClosedRange<UInt64>)
    func programsOfAnotherProcess(engine: ProcessTests.Engine, seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let client = try engine.open(folder.store)
        let other = InMemoryDBClient()
        try await KeptProgram.follow(seed, on: client, like: other, rounds: 6, commits: 25) {
            let child = try Child(
                "kept",
                engine.rawValue,
                folder.store.path,
                "\($0)",
                "\($1)"
            )
            #expect(child.waitForLines() == ["done"])
        }
        try client.close()
        withExtendedLifetime(folder) {}
    }
}

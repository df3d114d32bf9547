#if Macros
import DBClientCore
import DBClientTesting
import Foundation
import Testing

@Stored struct Joint: Equatable {
    @PrimaryKey let id: Int
    var parts: [Joint]
}

/// What is read deep on a thread with little room for calls.
struct DepthTests {
    @Test("The longest chain that is read fits a small stack")
    func fitsSmallStack() async throws {
        let client = InMemoryDBClient()
        let count = 513
        try await client.insert((1...count).map { Joint(id: $0, parts: []) })
        try await client.write { transaction in
            let base = transaction
            let writer = try #require(try base.engineReader as? any EngineWriter)
            let link = try #require(Joint.schema.entity.relationships[0].link)
            let rows = RowBuffer(link.entity)
            for id in 2...count {
                var row = try rows.beginRow()
                for number in [id - 1, 0, id] { try row.write(number) }
                try rows.endRow(row)
            }
            try writer.insert(rows)
        }
        let depth: Result<Int, any Error> = await withCheckedContinuation { continuation in
            let thread = Thread {
                continuation.resume(
                    returning: Result {
                        var depth = 0
                        var next = try client.blocking.find(Joint.self, key: 1)
                        while let joint = next {
                            depth += 1
                            next = joint.parts.first
                        }
                        return depth
                    }
                )
            }
            // The least that a system gives a thread that is not the first.
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(try depth.get() == count)
    }
}
#endif

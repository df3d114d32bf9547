import DBClientCore
import Foundation

/// A task that is cancelled before the commit writes nothing.
enum CancellationCases {
    static let all: [ConformanceCase] = [
        promise(.cancellation, "a cancelled task begins no write and no read") { client in
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                try await expectError(.cancelled) { try await client.insert(Hero(1)) }
                try await expectError(.cancelled) { _ = try await client.count(Hero.all) }
            }
            task.cancel()
            try await task.value
            try expectEqual(try await client.count(Hero.all), 0)
        },
        promise(.cancellation, "a write cancelled while it runs is undone") { client in
            let begun = DispatchSemaphore(value: 0)
            let cancelled = DispatchSemaphore(value: 0)
            let task = Task {
                _ = try await expectError(.cancelled) {
                    try await client.write { transaction in
                        try transaction.insert(Hero(1))
                        begun.signal()
                        _ = cancelled.wait(timeout: .now() + 10)
                    }
                }
            }
            try await onThread {
                _ = begun.wait(timeout: .now() + 10)
                task.cancel()
                cancelled.signal()
            }
            try await task.value
            try expectEqual(try await client.count(Hero.all), 0)
            try await client.insert(Hero(1))
        },
        promise(.cancellation, "a cancelled write takes no other one with it") { client in
            let gate = DispatchSemaphore(value: 0)
            // Holds the writer, so that the others wait together and share a commit.
            let holder = Task {
                try await client.write { transaction in
                    try transaction.insert(Hero(0))
                    _ = gate.wait(timeout: .now() + 10)
                }
            }
            let tasks = (1...20).map { id in
                Task { try await client.write { _ = try $0.insert(Hero(id)) } }
            }
            for (index, task) in tasks.enumerated() where index % 2 == 0 { task.cancel() }
            gate.signal()
            try await holder.value
            var written: Set<Int> = [0]
            for (index, task) in tasks.enumerated() {
                switch await task.result {
                case .success: written.insert(index + 1)
                case .failure(let error):
                    try expectEqual((error as? DBClientError)?.code, .cancelled)
                    try expect(index % 2 == 0, "task \(index) was not cancelled: \(error)")
                }
            }
            try expectEqual(Set(try await client.findAll(Hero.self).map(\.id)), written)
            try expect(
                written.isSuperset(of: (1...10).map { $0 * 2 }),
                "an uncancelled write is lost"
            )
        },
        promise(.cancellation, "a cancelled caller leaves the client usable") { client in
            for id in 0..<20 {
                let task = Task { try await client.insert(Hero(id)) }
                task.cancel()
                _ = await task.result
            }
            let before = try await client.count(Hero.all)
            try await client.insert(Hero(100))
            try expectEqual(try await client.count(Hero.all), before + 1)
        },
    ]
}

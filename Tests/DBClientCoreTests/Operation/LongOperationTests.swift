import DBClientCore
import DBClientTesting
import Foundation
import Testing

/// Runs a body on a thread with as little stack as one of the cooperative pool has.
private func onSmallStack<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Result(catching: body)) }
        thread.stackSize = 512 << 10
        thread.start()
    }
}

@Suite("Long operations")
struct LongOperationTests {
    private static let count = 100_000

    @Test("A hundred thousand steps, one after another, and their release")
    func leftNested() async throws {
        let value = try await onSmallStack {
            var chain = ReadOperation.value(0)
            for _ in 0..<Self.count {
                chain = chain.flatMap { ReadOperation.value($0 + 1) }
            }
            return try InMemoryDBClient().blocking.run(chain.map { $0 })
        }
        #expect(value == Self.count)
    }

    @Test("A hundred thousand steps, one inside another, and their release")
    func rightNested() async throws {
        let value = try await onSmallStack {
            var chain = WriteOperation.value(0)
            for _ in 0..<Self.count {
                let rest = chain
                chain = WriteOperation.value(1).flatMap { _ in rest.map { $0 + 1 } }
            }
            return try InMemoryDBClient().blocking.run(chain)
        }
        #expect(value == Self.count)
    }

    @Test("A recursion of a hundred thousand steps")
    func recursion() async throws {
        @Sendable func countDown(_ number: Int) -> ReadOperation<Int> {
            number == 0
                ? .value(0) : ReadOperation.value(number - 1).flatMap { countDown($0) }
        }
        let value = try await onSmallStack {
            try InMemoryDBClient().blocking.run(countDown(Self.count))
        }
        #expect(value == 0)
    }

    @Test("A hundred thousand functions, and an error at their end")
    func functions() async throws {
        let failure = await #expect(throws: DBClientError.self) {
            try await onSmallStack {
                var chain = WriteOperation.insert(Character(identifier: 1, name: "x"))
                    .map { $0.identifier }
                for _ in 0..<Self.count { chain = chain.map { $0 } }
                let client = InMemoryDBClient()
                try client.blocking.run(chain.zip(WriteOperation.sequence([chain])))
            }
        }
        #expect(failure?.code == .duplicateKey)
    }

    @Test("A sequence of a hundred thousand operations")
    func sequence() async throws {
        let values = try await onSmallStack {
            try InMemoryDBClient().blocking.run(
                ReadOperation.traverse(Array(0..<Self.count)) { .value($0) }
            )
        }
        #expect(values.count == Self.count)
    }

    @Test("A chain of a hundred thousand reads that are recovered from")
    func recoveries() async throws {
        let values = try await onSmallStack {
            let client = InMemoryDBClient()
            let first = ReadOperation.value(1)
            let unused = (0..<Self.count).reduce(first) { chain, _ in
                chain.recover { ReadOperation.fail($0) }
            }
            // Each recovery but the last fails with another error, which goes to the next one.
            var failing = ReadOperation<Int>.fail(DBClientError(.io, "0"))
            for number in 1...Self.count {
                failing = failing.recover { error in
                    guard (error as? DBClientError)?.message == "\(number - 1)" else {
                        return .fail(CancellationError())
                    }
                    return .fail(DBClientError(.io, "\(number)"))
                }
            }
            let recovered = failing.recover { error in
                .value(Int((error as? DBClientError)?.message ?? "") ?? 0)
            }
            return try client.blocking.run(unused.zip(recovered.map { $0 + 1 }))
        }
        #expect(values == (1, Self.count + 1))
    }

    @Test("Groups that stand in each other too deep are refused")
    func depth() async throws {
        @Sendable func nested(_ depth: Int) -> ReadOperation<Int> {
            (0..<depth).reduce(ReadOperation.value(0)) { inner, _ in
                ReadOperation.sequence([inner]).map { $0[0] + 1 }
            }
        }
        let value = try await onSmallStack { try InMemoryDBClient().blocking.run(nested(100)) }
        #expect(value == 100)
        let failure = await #expect(throws: DBClientError.self) {
            try await onSmallStack { try InMemoryDBClient().blocking.run(nested(1_000)) }
        }
        #expect(failure?.code == .invalidRequest)
    }

    @Test("Savepoints that stand in each other")
    func savepoints() async throws {
        let operation = (0..<100).reduce(
            WriteOperation.insert(Character(identifier: 1, name: "x")).map { _ in 0 }
        ) { inner, _ in inner.savepoint() }
        let value = try await onSmallStack { try InMemoryDBClient().blocking.run(operation) }
        #expect(value == 0)
    }
}

@Suite("Values on their way through an operation")
struct OperationValueTests {
    /// More than the room that a run begins with.
    private struct Large: Sendable, Equatable {
        var numbers = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
        var text = "text that does not fit a small string"

        static func == (left: Large, right: Large) -> Bool {
            left.text == right.text && left.numbers.0 == right.numbers.0
                && left.numbers.9 == right.numbers.9
        }
    }

    /// Counts how many of its kind there are.
    private final class Counted: Sendable {
        let live: Counter
        init(_ live: Counter) {
            self.live = live
            live.add(1)
        }
        deinit { live.add(-1) }
    }

    private final class Counter: @unchecked Sendable {
        private let lock = NSLock()
        private var value = 0
        func add(_ amount: Int) { lock.withLock { value += amount } }
        var count: Int { lock.withLock { value } }
    }

    @Test("Values of every size and alignment arrive whole")
    func sizes() throws {
        let operation = ReadOperation.value(Large())
            .map { ($0, SIMD16<Double>(repeating: 2)) }
            .flatMap { pair in ReadOperation.value(()).map { pair } }
            .zip(.value(UInt8(3)))
        let ((large, vector), byte) = try InMemoryDBClient().blocking.run(operation)
        #expect(large == Large())
        #expect(vector == SIMD16<Double>(repeating: 2))
        #expect(byte == 3)
    }

    @Test("Values are released, whether the operation ends or throws")
    func release() throws {
        let live = Counter()
        do {
            let client = InMemoryDBClient()
            let made = ReadOperation { _ in Counted(live) }
            let chain = made.flatMap { first in made.map { (first, $0) } }.zip(made)
            _ = try client.blocking.run(chain)
            #expect(live.count == 0)
            let failing = chain.flatMap { _ -> ReadOperation<Int> in throw CancellationError() }
            #expect(throws: CancellationError.self) { try client.blocking.run(failing) }
            #expect(live.count == 0)
            let many = ReadOperation.traverse([1, 2, 3]) { number in
                made.map { counted in
                    if number == 3 { throw CancellationError() }
                    return counted
                }
            }
            #expect(throws: CancellationError.self) { try client.blocking.run(many) }
        }
        #expect(live.count == 0)
    }
}

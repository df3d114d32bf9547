import DBClientCore
import DBClientTesting
import Testing

/// What an operation does: its value or its error, and what is stored after it.
private enum Effect: Equatable {
    case value(Int, stored: [Character])
    case failure(String, stored: [Character])
}

/// An error that tells where it was thrown.
private struct Mark: Error, CustomStringConvertible {
    let description: String
}

private func effect(_ operation: WriteOperation<Int>) throws -> Effect {
    let client = InMemoryDBClient()
    try client.blocking.insert([Character(identifier: 1, name: "first")])
    do {
        let value = try client.blocking.run(operation)
        return .value(value, stored: try client.blocking.findAll(Character.self))
    } catch {
        return .failure("\(error)", stored: try client.blocking.findAll(Character.self))
    }
}

private func effect(_ operation: ReadOperation<Int>) throws -> Effect {
    let client = InMemoryDBClient()
    try client.blocking.insert([Character(identifier: 1, name: "first")])
    do {
        let value = try client.blocking.run(operation)
        return .value(value, stored: try client.blocking.findAll(Character.self))
    } catch {
        return .failure("\(error)", stored: try client.blocking.findAll(Character.self))
    }
}

/// Operations of every kind, among them some that throw.
private let reads: [ReadOperation<Int>] = [
    .value(7),
    .count(Character.all),
    ReadOperation.findAll(Character.self).map { $0.map(\.identifier).reduce(0, +) },
    .fail(Mark(description: "read")),
    ReadOperation.count(Character.all).recover { _ in .value(3) },
    ReadOperation<Int>.fail(Mark(description: "caught")).recover { _ in .value(4) },
    ReadOperation.value(1).zip(.count(Character.all)).map { $0 + $1 },
]

private let writes: [WriteOperation<Int>] =
    reads.map { $0.lifted() } + [
        WriteOperation.insert(Character(identifier: 2, name: "x")).map { $0.identifier },
        WriteOperation.insert(Character(identifier: 1, name: "twice")).map { $0.identifier },
        .deleteAll(Character.self),
        WriteOperation.deleteAll(Character.self).flatMap { _ in .fail(Mark(description: "w")) },
        WriteOperation.deleteAll(Character.self)
            .flatMap { _ in WriteOperation<Int>.fail(Mark(description: "w")) }
            .recover { _ in ReadOperation.count(Character.all) },
    ]

private let readers: [@Sendable (Int) throws -> ReadOperation<Int>] = [
    { .value($0 + 1) },
    { number in .count(Character.where { $0.identifier < number }) },
    { .fail(Mark(description: "from \($0)")) },
    { throw Mark(description: "at \($0)") },
]

private let writers: [@Sendable (Int) throws -> WriteOperation<Int>] =
    readers.map { reader in { @Sendable number in try reader(number).lifted() } } + [
        { number in
            WriteOperation.upsert(Character(identifier: number, name: "w"))
                .map { $0.isUpdated ? -number : number }
        },
        { number in .delete(Character.where { $0.identifier == number }) },
    ]

@Suite("The laws of operations")
struct OperationLawTests {
    @Test("A value before a function is the function of the value")
    func leftIdentity() throws {
        for function in readers {
            let direct = ReadOperation.value(5).flatMap { _ in try function(5) }
            let value = ReadOperation.value(5).flatMap { try function($0) }
            #expect(try effect(value) == effect(direct))
        }
        for function in writers {
            let value = WriteOperation.value(5).flatMap { try function($0) }
            let expected: Effect
            do {
                expected = try effect(function(5))
            } catch {
                expected = try effect(WriteOperation<Int>.fail(error))
            }
            #expect(try effect(value) == expected)
        }
    }

    @Test("Going on with the value alone changes nothing")
    func rightIdentity() throws {
        for operation in reads {
            #expect(
                try effect(operation.flatMap { ReadOperation.value($0) }) == effect(operation)
            )
        }
        for operation in writes {
            #expect(
                try effect(operation.flatMap { WriteOperation.value($0) }) == effect(operation)
            )
        }
    }

    @Test("How a chain is bracketed does not matter")
    func associativity() throws {
        for operation in writes {
            for first in writers {
                for second in writers {
                    let left = operation.flatMap(first).flatMap(second)
                    let right = operation.flatMap { try first($0).flatMap(second) }
                    #expect(try effect(left) == effect(right))
                }
            }
        }
    }

    @Test("map keeps identity and composition, and is flatMap of a value")
    func functor() throws {
        for operation in writes {
            #expect(try effect(operation.map { $0 }) == effect(operation))
            let composed = operation.map { ($0 + 1) * 3 }
            #expect(try effect(operation.map { $0 + 1 }.map { $0 * 3 }) == effect(composed))
            #expect(
                try effect(operation.flatMap { WriteOperation.value(($0 + 1) * 3) })
                    == effect(composed)
            )
        }
    }

    @Test("Lifting a composition of reads is composing them lifted")
    func homomorphism() throws {
        #expect(try effect(ReadOperation.value(5).lifted()) == effect(WriteOperation.value(5)))
        for operation in reads {
            #expect(try effect(operation.lifted()) == effect(operation))
            for function in readers {
                let inside = operation.flatMap(function).lifted()
                let outside = operation.lifted().flatMap { try function($0).lifted() }
                #expect(try effect(inside) == effect(outside))
                // The type lifts by itself where a write goes on.
                let mixed = operation.flatMap { try function($0).lifted() }
                #expect(try effect(mixed) == effect(inside))
            }
            let recovered = operation.recover { _ in ReadOperation.value(-1) }
            let lifted = operation.lifted().recover { _ in WriteOperation.value(-1) }
            #expect(try effect(recovered.lifted()) == effect(lifted))
            for other in reads {
                let inside = operation.zip(other).map { $0 * 100 + $1 }.lifted()
                let outside = operation.lifted().zip(other.lifted()).map { $0 * 100 + $1 }
                #expect(try effect(inside) == effect(outside))
            }
        }
    }

    @Test("A sequence is a chain, a traversal a sequence")
    func sequences() throws {
        for first in writes {
            for second in writes {
                let sequence = WriteOperation.sequence([first, second]).map { $0[0] * 10 + $0[1] }
                let chain = first.flatMap { left in second.map { left * 10 + $0 } }
                let zipped = first.zip(second).map { $0 * 10 + $1 }
                #expect(try effect(sequence) == effect(chain))
                #expect(try effect(zipped) == effect(chain))
            }
        }
        for function in writers {
            let traversal = WriteOperation.traverse([1, 2, 3], function).map { "\($0)".count }
            let sequence = WriteOperation.sequence(
                [1, 2, 3].map { number in WriteOperation.value(number).flatMap(function) }
            ).map { "\($0)".count }
            #expect(try effect(traversal) == effect(sequence))
        }
        #expect(try InMemoryDBClient().blocking.run(WriteOperation<[Int]>.sequence([])) == [])
    }

    @Test("A failure goes past everything but a recovery")
    func failures() throws {
        let failure = WriteOperation<Int>.fail(Mark(description: "early"))
        for function in writers {
            #expect(try effect(failure.flatMap(function)) == effect(failure))
            let recovered = failure.recover { _ in try function(2) }
            let direct = WriteOperation.value(2).flatMap { try function($0) }
            #expect(try effect(recovered) == effect(direct))
        }
        for operation in writes {
            let unchanged = operation.recover { WriteOperation<Int>.fail($0) }
            #expect(try effect(unchanged) == effect(operation))
            #expect(try effect(operation.savepoint()) == effect(operation))
        }
    }
}

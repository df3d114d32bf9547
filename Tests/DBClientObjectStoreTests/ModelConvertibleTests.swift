import DBClientCore
import DBClientObjectStore
import DBClientTesting
import Foundation
import Testing

/// Kept as a `TaskRecord`, and in the object store as a `PackedTask`.
private struct Task: StoredConvertible, Equatable {
    let id: Int
    var title: String
    var isDone: Bool
    var rank: Int

    var primaryKey: Int { id }

    init(_ id: Int, _ title: String, isDone: Bool = false, rank: Int = 0) {
        self.id = id
        self.title = title
        self.isDone = isDone
        self.rank = rank
    }

    init(storage: TaskRecord) {
        self.init(storage.id, storage.title, isDone: storage.isDone, rank: storage.rank)
    }

    func storage(existing: TaskRecord?) -> TaskRecord {
        TaskRecord(id, title, isDone: isDone, rank: rank)
    }
}

@Stored private struct TaskRecord {
    let id: Int
    var title: String
    var isDone: Bool
    var rank: Int

    init(_ id: Int, _ title: String, isDone: Bool, rank: Int) {
        self.id = id
        self.title = title
        self.isDone = isDone
        self.rank = rank
    }
}

extension Task: ObjectStoreModelConvertible {
    init(objectStoreModel: PackedTask) throws {
        self.init(
            objectStoreModel.id,
            objectStoreModel.title,
            isDone: objectStoreModel.marks.contains("done"),
            rank: Int(objectStoreModel.rank)
        )
    }

    func objectStoreModel(existing: PackedTask?) throws -> PackedTask {
        var marks = existing?.marks.filter { $0 != "done" } ?? []
        if isDone { marks.append("done") }
        return PackedTask(id: id, marks: marks, title: title, rank: Int32(rank))
    }
}

/// Other fields in another order, some of the same name; by hand, since that is not the order of the properties.
private struct PackedTask: Stored {
    let id: Int
    var marks: [String]
    var title: String
    var rank: Int32

    static let schema = Schema<PackedTask>(
        name: "PackedTask",
        fields: [
            .field(\.marks, "marks"), .field(\.title, "title", index: .plain),
            .field(\.rank, "rank"), .field(\.id, "id", primaryKey: .given),
        ]
    )

    var primaryKey: Int { id }

    init(id: Int, marks: [String], title: String, rank: Int32) {
        self.id = id
        self.marks = marks
        self.title = title
        self.rank = rank
    }

    init(row: inout RowReader) throws {
        marks = try row.read()
        title = try row.read()
        rank = try row.read()
        id = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(marks)
        try row.write(title)
        try row.write(rank)
        try row.write(id)
    }
}

@Suite struct ModelConvertibleTests {
    private let tasks = [Task(1, "a", isDone: true, rank: 3), Task(2, "b"), Task(3, "a", rank: 5)]

    @Test("Values are copied between stores of one shape, and refused between those of two")
    func copying() async throws {
        let store = try ObjectStoreDBClient(.inMemory)
        let other = try ObjectStoreDBClient(.inMemory)
        try await store.insert([Task(1, "a", isDone: true, rank: 7), Task(2, "b")])
        #expect(try await other.copy(Task.self, from: store).inserted == 2)
        #expect(try await other.findAll(Task.self) == store.findAll(Task.self))
        for (source, target): (any DBClient, any DBClient) in [
            (store, InMemoryDBClient()), (InMemoryDBClient(), other),
        ] {
            let error = await #expect(throws: DBClientError.self) {
                try await target.copy(Task.self, from: source)
            }
            #expect(error?.code == .unsupported)
        }
    }

    @Test func anAppCallsEveryClientAlike() async throws {
        for client in [try ObjectStoreDBClient(.inMemory), InMemoryDBClient()] as [any DBClient] {
            #expect(try await client.insert(tasks) == tasks)
            let request = Task.where { $0.title == "a" }.sorted { $0.rank.descending }
            #expect(try await client.fetch(request) == [tasks[2], tasks[0]])
            #expect(try await client.count(request) == 2)
            #expect(try await client.fetch(request.after(tasks[2])) == [tasks[0]])
            #expect(try await client.find(Task.self, keys: [3, 1]) == [tasks[2], tasks[0]])
            #expect(try await client.max(\.title, of: Task.all) == "b")
            #expect(try await client.sum(\.id, of: request) == 4)
            var streamed: [Task] = []
            for try await task in client.stream(request, batchSize: 1) { streamed.append(task) }
            #expect(streamed == [tasks[2], tasks[0]])
            try await client.update(Task.self, key: 2) { $0.set(\.title, to: "c") }
            let changed = try await client.update(request) {
                $0.modify(\.title) { $0 += "d" }
                $0.set(\.rank, to: 9)
            }
            #expect(changed == 2)
            #expect(try await client.count(Task.where { $0.title == "ad" }) == 2)
            let outcome = try await client.upsert([Task(2, "e", isDone: true), Task(4, "f")])
            #expect(outcome.updated == [Task(2, "e", isDone: true)])
            #expect(outcome.inserted == [Task(4, "f")])
            #expect(try await client.delete(Task.where { $0.rank == 9 }) == 2)
            #expect(try await client.delete(Task(4, "f")))
            #expect(try await client.findAll(Task.self) == [Task(2, "e", isDone: true)])
        }
    }

    @Test func theObjectStoreKeepsItsOwnShape() throws {
        let client = try ObjectStoreDBClient(.inMemory)
        try client.blocking.insert(PackedTask(id: 1, marks: ["red", "done"], title: "a", rank: 1))
        #expect(try client.blocking.find(Task.self, key: 1) == Task(1, "a", isDone: true, rank: 1))
        try client.blocking.upsert(Task(1, "b"))
        let kept = try #require(try client.blocking.find(PackedTask.self, key: 1))
        #expect(kept.marks == ["red"])
        #expect(kept.title == "b")
    }

    @Test func aFieldThatTheShapeLacksIsRefused() throws {
        let client = try ObjectStoreDBClient(.inMemory)
        try client.blocking.insert(tasks)
        let calls: [() throws -> Void] = [
            { _ = try client.blocking.fetch(Task.where { $0.isDone == true }) },
            { _ = try client.blocking.fetch(Task.all.sorted { $0.isDone }) },
            { try client.blocking.update(Task.self, key: 1) { $0.set(\.isDone, to: true) } },
            { _ = try client.blocking.distinct(\.isDone, of: Task.all) },
        ]
        for call in calls {
            let error = error(of: call)
            #expect(error?.code == .invalidRequest)
            #expect(error?.entity == "PackedTask")
            #expect(error?.field == "isDone")
        }
        // The shape's property is an Int32.
        #expect(try client.blocking.distinct(\.rank, of: Task.all) == [0, 3, 5])
        #expect(try client.blocking.findAll(Task.self) == tasks)
    }
}

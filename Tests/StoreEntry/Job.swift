package import DBClientCore

/// What a version of a program stores while a newer version comes beside it.
package struct Job: Stored, Equatable {
    package let id: Int
    package var name: String
    package var code: Int

    package static let schema = Schema<Job>(
        name: "Job",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.name, "name"), .field(\.code, "code"),
        ]
    )

    package var primaryKey: Int { id }

    package init(_ id: Int) {
        self.id = id
        name = "job \(id)"
        code = id
    }

    package init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        code = try row.read()
    }

    package func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(code)
    }
}

/// A job whose name is indexed.
package struct IndexedJob: Stored, Equatable {
    package let id: Int
    package var name: String
    package var code: Int

    package static let schema = Schema<IndexedJob>(
        name: "Job",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.name, "name", index: .plain),
            .field(\.code, "code"),
        ]
    )

    package var primaryKey: Int { id }

    package init(_ id: Int) {
        self.id = id
        name = "job \(id)"
        code = id
    }

    package init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        code = try row.read()
    }

    package func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(code)
    }
}

/// A job whose name is indexed, with a priority and a state in addition.
package struct RankedJob: Stored, Equatable {
    package let id: Int
    package var name: String
    package var code: Int
    package var priority: Int
    package var state: String

    package static let schema = Schema<RankedJob>(
        name: "Job",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.name, "name", index: .plain),
            .field(\.code, "code"), .field(\.priority, "priority", index: .plain),
            .field(\.state, "state"),
        ],
        defaults: {
            $0.set(\.priority, to: 1)
            $0.set(\.state, to: "it's new")
        }
    )

    package var primaryKey: Int { id }

    package init(_ id: Int, priority: Int) {
        self.id = id
        name = "job \(id)"
        code = id
        self.priority = priority
        state = "ranked"
    }

    package init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        code = try row.read()
        priority = try row.read()
        state = try row.read()
    }

    package func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(code)
        try row.write(priority)
        try row.write(state)
    }
}

/// A job whose code is written otherwise, in a column of the same type.
package struct OffsetJob: Stored, Equatable {
    package let id: Int
    package var name: String
    package var code: OffsetUInt64

    package static let schema = Schema<OffsetJob>(
        name: "Job",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.name, "name"), .field(\.code, "code"),
        ]
    )

    package var primaryKey: Int { id }

    package init(_ job: Job) {
        id = job.id
        name = job.name
        code = OffsetUInt64(UInt64(bitPattern: Int64(job.code)))
    }

    package init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        code = try row.read()
    }

    package func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(code)
    }

    /// Leads a store of jobs here.
    package static let conversion = Migration.convert(Job.self, to: Self.self) { OffsetJob($0) }

    /// Leads back.
    package static let wayBack = Migration.convert(Self.self, to: Job.self) { Job($0.id) }
}

package import DBClientCore

/// What a version of a program stores while a newer version comes beside it.
@Stored package struct Job: Equatable {
    package let id: Int
    package var name: String
    package var code: Int

    package init(_ id: Int) {
        self.id = id
        name = "job \(id)"
        code = id
    }
}

/// A job whose name is indexed.
@Stored("Job") package struct IndexedJob: Equatable {
    package let id: Int
    @Indexed package var name: String
    package var code: Int

    package init(_ id: Int) {
        self.id = id
        name = "job \(id)"
        code = id
    }
}

/// A job whose name is indexed, with a priority and a state in addition.
@Stored("Job") package struct RankedJob: Equatable {
    package let id: Int
    @Indexed package var name: String
    package var code: Int
    @Indexed package var priority: Int = 1
    package var state: String = "it's new"

    package init(_ id: Int, priority: Int) {
        self.id = id
        name = "job \(id)"
        code = id
        self.priority = priority
        state = "ranked"
    }
}

/// A job whose code is written otherwise, in a column of the same type.
@Stored("Job") package struct OffsetJob: Equatable {
    package let id: Int
    package var name: String
    package var code: OffsetUInt64

    package init(_ job: Job) {
        id = job.id
        name = job.name
        code = OffsetUInt64(UInt64(bitPattern: Int64(job.code)))
    }

    /// Leads a store of jobs here.
    package static let conversion = Migration.convert(Job.self, to: Self.self) { OffsetJob($0) }

    /// Leads back.
    package static let wayBack = Migration.convert(Self.self, to: Job.self) { Job($0.id) }
}

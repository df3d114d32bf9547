import DBClientCore

/// What `@Stored` would write, by hand: the benchmark is built without the macro.
extension Character: Stored {
    static let schema = Schema<Character>(
        name: "Character",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.name, "name", index: .plain),
            .field(\.realName, "realName"),
            .field(\.publisherId, "publisherId", index: .plain),
            .field(\.power, "power"),
            .field(\.createdAt, "createdAt"),
            .field(\.isActive, "isActive"),
            .field(\.bio, "bio"),
        ]
    )

    var primaryKey: Int { id }

    @inline(__always)
    init(row: inout RowReader) throws {
        self.init(
            id: try row.read(),
            name: try row.read(),
            realName: try row.read(),
            publisherId: try row.read(),
            power: try row.read(),
            createdAt: try row.read(),
            isActive: try row.read(),
            bio: try row.read()
        )
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(realName)
        try row.write(publisherId)
        try row.write(power)
        try row.write(createdAt)
        try row.write(isActive)
        try row.write(bio)
    }
}

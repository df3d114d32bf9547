/// The values that a migration gives the stored values of a model for the fields that it adds.
///
/// That is what the step sets, or else what the model says that a property begins with, or else nil.
struct AddedValues<Model: Stored> {
    private let fields: [Int]
    private let buffer: AssignmentBuffer
    /// The values of the properties that are relationships.
    private var branches: [RelationshipValues] = []

    private static var entity: EntitySchema { Model.schema.entity }
    private var entity: EntitySchema { Self.entity }

    /// Finds the values.
    ///
    /// - Parameters:
    ///   - fields: The positions of the fields that the store lacks.
    ///   - assign: What the step sets.
    /// - Throws: `.migrationRequired` when a field has no value; what an assignment throws.
    init(
        _ fields: [Int],
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws {
        self.fields = fields
        buffer = try AssignmentBuffer(Self.entity)
        // What is not set is nil, so it is set first.
        for field in fields where Self.entity.fields[field].isOptional {
            try buffer.set(field) { try $0.put(.null) }
        }
        let start = try InitialValues<Model>(of: fields)
        for (column, value) in start.values {
            try value.withSlot { slot in try buffer.set(column) { try $0.put(copying: slot) } }
        }
        var assignments = Assignments<Model>(buffer)
        try assign(&assignments)
        if let modification = buffer.modifications.first {
            throw DBClientError(
                .invalidRequest,
                "A new property must be set, not modified, since it has no stored value.",
                entity: entity.name,
                field: entity.fields[modification.column].name,
                hint: "Use `set`, or modify the stored values in a step of its own."
            )
        }
        branches = buffer.relationships
        for branch in start.branches
        where !branches.contains(where: { $0.relationship === branch.relationship }) {
            branches.append(branch)
        }
        let assigned = try buffer.finish()
        try checkComplete(assigned, start)
        try checkPresent(assigned)
    }

    private func checkComplete(_ assigned: RowAssignments?, _ start: InitialValues<Model>) throws {
        let held = branches.flatMap(\.relationship.columns)
        for field in fields where assigned?.columns.contains(field) != true && !held.contains(field)
        {
            let hint = "Set it: .adapt(\(Model.self).self) { $0.set(…, to: …) }."
            throw entity.migrationRequired(
                start.changing.contains(field)
                    ? "A new field whose initial value varies must be set for the stored values."
                    : "A new field that is not optional must be set for the stored values.",
                entity.fields[field].name,
                hint: hint
            )
        }
    }

    /// Throws when a struct that is stored would lack a field that it must have.
    private func checkPresent(_ assigned: RowAssignments?) throws {
        for field in fields {
            guard let presence = Model.schema.embedded.presences[field], presence.isRequired,
                !fields.contains(presence.column), assigned?.values[0, field].isNull ?? true
            else { continue }
            throw entity.migrationRequired(
                "A new field of an optional struct must be set where the struct is present.",
                entity.fields[field].name,
                hint: "Give the property of the struct an initial value, or convert the values."
            )
        }
    }

    /// Calls a function with the values, once what they hold of other models is saved.
    func withValues(
        _ writer: any EngineWriter,
        _ body: (RowAssignments) throws -> Void
    ) throws {
        let graph = GraphWriter(writer, RelationshipRegistry())
        for branch in branches where isAdded(branch) {
            try branch.collection?.save(with: graph.deeper(than: entity))
            try buffer.fillKeys(of: branch)
            guard branch.mustBeThere, let keys = branch.keys else { continue }
            try graph.checkThere(keys, of: branch.relationship, entity)
        }
        try graph.checkReferences()
        guard let assigned = try buffer.finish() else {
            return try RowBuffer(entity).withBatch { none in
                try body(RowAssignments(columns: [], values: none))
            }
        }
        try withExtendedLifetime(buffer) {
            try body(RowAssignments(columns: fields, values: assigned.values))
        }
    }

    /// Calls a function with the values, unless some of them are keys of values that are to be saved first; nil then.
    func withValuesOfOwn<Value>(_ body: (RowAssignments) throws -> Value) throws -> Value? {
        if branches.contains(where: isAdded) { return nil }
        guard let assigned = try buffer.finish() else {
            return try RowBuffer(entity).withBatch { none in
                try body(RowAssignments(columns: [], values: none))
            }
        }
        return try withExtendedLifetime(buffer) {
            try body(RowAssignments(columns: fields, values: assigned.values))
        }
    }

    /// Whether a to-one relationship is new, as its columns are.
    private func isAdded(_ branch: RelationshipValues) -> Bool {
        branch.relationship.columns.contains(where: fields.contains)
    }

    /// Returns what the values get for to-many relationships that the store does not know of yet.
    func newLists(in reader: any EngineReader) throws -> [RelationshipValues] {
        try branches.filter { branch in
            guard let link = branch.relationship.link, !branch.elements(of: 0).isEmpty else {
                return false
            }
            let name = branch.relationship.name
            let isKnown = try RelationshipRegistry().knows(name, of: entity, in: reader)
            return try !isKnown && reader.difference(from: link.entity) == nil
        }
    }

    /// Completes the values in the store, which has the fields by now.
    ///
    /// - Parameters:
    ///   - lists: What they get for to-many relationships.
    ///   - writer: The engine's side of the transaction.
    /// - Throws: `.danglingReference` when a reference names a value that is not stored; what the engine
    ///   throws.
    func writeHeld(_ lists: [RelationshipValues], _ writer: any EngineWriter) throws {
        try clearAbsent(writer)
        let isHolder = branches.contains(where: isAdded)
        guard !lists.isEmpty || isHolder else { return }
        let registry = RelationshipRegistry()
        try registry.register(entity, with: writer)
        let graph = GraphWriter(writer, registry)
        let owners = try writer.keys(of: RowQuery(entity))
        for branch in lists {
            try branch.collection?.save(with: graph.deeper(than: entity))
            guard let link = branch.relationship.link else { continue }
            try graph.writeLinks(of: owners, link, like: branch)
            guard branch.mustBeThere, let keys = branch.keys else { continue }
            try graph.checkThere(keys, of: branch.relationship, entity)
        }
        try graph.checkReferences()
        graph.call.savesHeld = true
        graph.call.hasMetAgain = true
        try graph.checkCircles(throughKeys: owners)
    }

    /// Takes new fields of an optional struct away again where the struct is absent.
    private func clearAbsent(_ writer: any EngineWriter) throws {
        guard let assigned = try buffer.finish() else { return }
        var columns: [Int: [Int]] = [:]
        for field in fields {
            guard let presence = Model.schema.embedded.presences[field],
                !fields.contains(presence.column), !assigned.values[0, field].isNull
            else { continue }
            columns[presence.column, default: []].append(field)
        }
        for (presence, columns) in columns {
            let nulls = RowBuffer(entity)
            nulls.append { _ in .null }
            let absent = RowQuery(entity, where: .isNil(column: presence))
            _ = try nulls.withBatch {
                try writer.update(absent, setting: RowAssignments(columns: columns, values: $0))
            }
        }
    }
}

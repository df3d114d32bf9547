/// How the rows of a query are reached from others of their entity, step by step, as engines see it.
///
/// The query's entity has the fields of the rows and, last, their depth: the least number of steps by which they are
/// reached, zero for the rows that the walk starts from. Each row is there once, whatever ways lead to it, so that a
/// walk ends where rows lead in a circle.
public struct RowWalk: Hashable, Sendable {
    /// The entity whose rows are walked, as it is stored, without the depth.
    public let entity: EntitySchema
    /// The condition of the rows that the walk starts from, on their own fields.
    public var start: RowCondition
    /// The hops from a row to the next ones, the last of which leads to rows of the entity; none has a condition.
    ///
    /// One by a field of either row, or two by way of links.
    public var steps: [RelatedRows]
    /// What a row must fulfil to be reached; those that the walk starts from need not.
    public var passing: RowCondition
    /// Whether the rows that the walk starts from belong to the rows of the query.
    public var includesStart: Bool
    /// The greatest depth; nil for any.
    public var maximumDepth: Int?

    /// Creates a walk, by default to everything that is reached.
    public init(
        _ entity: EntitySchema,
        from start: RowCondition,
        by steps: [RelatedRows],
        passing: RowCondition = .constant(true),
        includesStart: Bool = false,
        maximumDepth: Int? = nil
    ) {
        self.entity = entity
        self.start = start
        self.steps = steps
        self.passing = passing
        self.includesStart = includesStart
        self.maximumDepth = maximumDepth
    }

    /// The fields of a row that the first hop starts from.
    var matching: [Int] { steps[0].matching }

    /// Whether the first hop leads to rows by their primary keys.
    var isByKey: Bool { steps.count == 1 && steps[0].columns == entity.primaryKey }
}

extension EntitySchema {
    /// Creates the entity of rows of another with their depth, under a name that no field has.
    convenience init(walking entity: EntitySchema) {
        let taken = Set(entity.fields.map { Array(asciiFolded($0.name)) })
        var name = "depth"
        while taken.contains(Array(asciiFolded(name))) { name += "_" }
        let depth = FieldSchema(
            name: name,
            type: .integer(bits: 64, signed: true),
            isOptional: false
        )
        self.init(
            name: entity.name,
            fields: entity.fields + [depth],
            primaryKey: entity.primaryKey,
            keyGeneration: .given,
            indexes: [],
            failure: entity.failure,
            isStored: false
        )
    }
}

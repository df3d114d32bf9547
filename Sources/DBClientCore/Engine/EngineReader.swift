/// Reading inside a transaction.
///
/// Not for use by two threads at once.
public protocol EngineReader: AnyObject {
    /// Reused memory for keys and rows that go to the engine.
    var buffers: RowBuffers { get }

    /// Where the engine notes which models are used; nil, the default, where it does not, so that the rules of
    /// deletion are taken over when values are written.
    var usage: ModelUsage? { get }

    /// Whether the engine puts the rows of a joined query together; false by default, where the library does it from the
    /// rows of the parts.
    func canJoin(_ query: RowQuery) throws -> Bool

    /// Whether the engine finds what a query walks to; false by default, where the library does it level by level.
    func canWalk(_ query: RowQuery) throws -> Bool

    /// Returns the score of an entity's rows in a search with the figures of all of them, where an index has these; nil by
    /// default, where the library reads the rows for them.
    ///
    /// The score is a function ``RowFunction/rank`` of the search and the fields.
    func rankFromIndex(_ rank: RowExpression, of entity: EntitySchema) throws -> RowExpression?

    /// Visits the rows with these keys.
    ///
    /// `keys` has a row for each key, of the primary key's columns. `visit` is called with the
    /// position of a key and a batch of one row, in the order of `keys`, for those that exist.
    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws

    /// Visits the rows with these keys, no two of which are equal, in any order and in batches of any
    /// size: how related values are loaded.
    ///
    /// One round trip to the engine, or as many as the keys have thousands.
    func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws

    /// Visits the rows of a query in its total order, in batches of any size.
    ///
    /// `visit` returns false to stop early.
    func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws

    /// Visits the rows of a query as ``scan(_:_:)`` does, for a visitor of the caller's, which takes as long as it
    /// likes: no limit for a statement counts its time. The default scans.
    func scanForCaller(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws

    /// Returns the number of rows of a query, its limit and offset applied. The default visits them.
    func count(_ query: RowQuery) throws -> Int

    /// Computes a function over a field of the rows of a query, or of the rows that they lead to by a path.
    ///
    /// Integers and decimals are added up exactly, and doubles as ``RealSum`` adds them. The default puts the value
    /// together from `group`, or looks up what the path leads to.
    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue

    /// Visits the different values of a field over the rows of a query, ascending, nil first. The default asks for
    /// groups by the field.
    func distinct(column: Int, of query: RowQuery, _ visit: (Slot) throws -> Void) throws

    /// Visits some fields of the rows of a query in its total order, in batches of any size.
    ///
    /// A row of a batch has a slot for each of `columns`, in their order. The default reads whole rows.
    /// `visit` returns false to stop early.
    func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws

    /// Whether the engine groups by what is computed, and computes functions over that and over what rows hold, where
    /// a grouping asks for it; false by default, where the library does it from the fields.
    func canGroup(_ grouping: RowGrouping) throws -> Bool

    /// Visits the groups of the rows of a query that fulfil the grouping's condition, ascending by
    /// their keys, nil first: a slot for each key, then one for each term.
    ///
    /// A sum or a function of no values is null. The default puts them together from `select`.
    func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws

    /// Visits the rows of a query in its total order, each with what is computed of the rows that belong to it: a slot for
    /// each field, then one for each annotation.
    ///
    /// A number of no rows is zero, and a function of none is null. The default reads the rows, and asks for groups of those
    /// that belong to them.
    func annotate(
        _ query: RowQuery,
        with annotations: [RowAnnotation],
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws

    /// Returns how many rows an entity has, where the engine knows that without a look at them; nil, the default, where it
    /// does not.
    ///
    /// The library chooses by it between ways to the same result.
    func rowCount(of entity: EntitySchema) throws -> Int?

    /// Returns hints about which calls on an entity are cheap for the engine; by default none.
    func hints(for entity: EntitySchema) -> EngineHints

    /// Describes how a query would run, for a person. The default says that every row is visited.
    func explain(_ query: RowQuery) throws -> String

    /// Compares what the store has of an entity with a model; nil when it has nothing.
    ///
    /// By default nothing is compared: the call throws `.unsupported`.
    func difference(from entity: EntitySchema) throws -> ShapeDifference?

    /// Returns the statements by which a change of an entity would be made, for a person; none by default.
    func statements(of change: ShapeChange, to entity: EntitySchema) throws -> [String]

    /// Returns the shapes of everything that the store keeps, links and the library's own entities included.
    ///
    /// By default the call throws `.unsupported`.
    func shapes() throws -> [StoredShape]

    /// Returns the mark that the store keeps with an entity's rows, by which writers that keep the same stored views know
    /// each other; nil where it keeps none, which is the default.
    func viewMark(of entity: EntitySchema) throws -> String?
}

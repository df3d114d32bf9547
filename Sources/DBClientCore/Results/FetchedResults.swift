import Dispatch
public import Synchronization

/// The values of a request by their positions, each read when it is asked for.
///
/// ```swift
/// let heroes = try await client.results(of: Character.all.sorted { $0.name })
/// print(heroes.count)            // no value was read for it
/// let last = try heroes[heroes.count - 1]
/// ```
///
/// It holds the keys of the values and one snapshot of the store, so that what is read later fits what
/// was read before, whatever is written meanwhile. Values are read by their keys, those in a row a batch
/// at a time, and only the last batches stay in memory.
///
/// So the memory is that of the keys and of at most ``FetchedResultsOptions/maximumBatches`` batches. A
/// key takes its own size (8 bytes for an integer, 16 for a UUID), and one with text the bytes of the
/// text and 4 more: a million rows by an integer are 8 MB.
///
/// A held snapshot keeps the store from reusing pages, so it is released at the latest after
/// ``FetchedResultsOptions/maximumSnapshotAge``, and when the results are released. The next access then
/// refetches the keys, from the store as it is by then, and counts ``generation`` up: positions that were
/// remembered from before have lost their meaning.
///
/// A store in memory of SQLite, and a client of PostgreSQL with one connection, hold no snapshots across
/// calls; they read all the values at once in the beginning.
///
/// A subscript can throw and a collection's cannot, so this is not a `Collection`; ``rows`` is one.
public final class FetchedResults<Model: StoredConvertible>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var snapshot: (any EngineSnapshot)?
        /// The interceptors between the snapshot and its readers.
        @usableFromInline var interceptors: [any TransactionInterceptor & Sendable] = []
        @usableFromInline var keys = PackedKeys<Model.PrimaryKey>()
        /// The values, where they were all read at once.
        @usableFromInline var values: [Model]?
        @usableFromInline var batches = ResultBatches<Model>()
        /// The position that was asked for last; none at first, with no neighbours.
        @usableFromInline var last = -2
        var generation = 0
        /// How often a refetch has found other keys, or another order.
        var layout = 0
    }

    private let client: any DBClient
    /// The type of the client behind all decorators, which knows the conversions of its engine.
    @usableFromInline let clientType: any EngineBackedClient.Type
    private let request: FetchRequest<Model>
    private let options: FetchedResultsOptions
    @usableFromInline let state: Mutex<State>

    init(
        _ client: any DBClient,
        _ request: FetchRequest<Model>,
        _ options: FetchedResultsOptions
    ) throws {
        self.client = client
        clientType = client.engineClientType
        self.request = request
        self.options = options
        var state = State()
        try Self.open(&state, client, clientType, request, options)
        self.state = Mutex(state)
    }

    deinit {
        state.withLock { $0.snapshot?.release() }
    }

    /// The number of values in the results.
    public var count: Int { state.withLock { $0.values?.count ?? $0.keys.count } }

    /// The valid positions, from zero to ``count``.
    public var indices: Range<Int> { 0..<count }

    /// The number of times that the values were refetched because the snapshot was gone.
    public var generation: Int { state.withLock { $0.generation } }

    /// The values as a collection for list views, each read when it is asked for.
    public var rows: FetchedRows<Model> {
        state.withLock { state in
            FetchedRows(
                results: self,
                layout: state.layout,
                endIndex: state.values?.count ?? state.keys.count
            )
        }
    }

    /// The value at a position.
    ///
    /// - Throws: `.invalidRequest` when there is no such position, which may come of values that were
    ///   refetched; `.closed`, `.decoding` and what else reading throws.
    @inlinable
    public subscript(index: Int) -> Model {
        get throws {
            try state.withLock { try value(at: index, &$0) }
        }
    }

    /// Returns the values at some positions.
    ///
    /// - Throws: What the subscript throws.
    public func values(in range: Range<Int>) throws -> [Model] {
        try state.withLock { state in
            for _ in 0..<3 {
                if let values = try values(in: range, &state) { return values }
            }
            throw Self.snapshotIsGone
        }
    }

    /// Returns the values at some positions; nil when they were refetched after some of them.
    private func values(in range: Range<Int>, _ state: inout State) throws -> [Model]? {
        guard let first = range.first, let last = range.last else { return [] }
        // Before there is room for that many.
        let count = state.values?.count ?? state.keys.count
        try check(first, count)
        try check(last, count)
        // Several come in a row, the first of them too.
        if first < last { state.last = first - 1 }
        var values = [try value(at: first, &state)]
        let generation = state.generation
        values.reserveCapacity(range.count)
        for position in range.dropFirst() {
            let value = try value(at: position, &state)
            if state.generation != generation { return nil }
            values.append(value)
        }
        return values
    }

    /// Releases the snapshot and the batches in memory; the next value is refetched.
    ///
    /// Where an engine holds no snapshots, the values stay.
    public func release() {
        state.withLock { state in
            state.snapshot?.release()
            state.batches.removeAll()
        }
    }

    /// Returns the value at a position, as long as it has the meaning that it had at a layout.
    func row(at index: Int, of layout: Int) -> Result<Model, DBClientError> {
        state.withLock { state in
            Result { () throws(DBClientError) in
                do {
                    if state.layout != layout { throw Self.rowsAreOld }
                    let value = try value(at: index, &state)
                    if state.layout != layout { throw Self.rowsAreOld }
                    return value
                } catch {
                    // What is not there any more may not be of the layout any more either.
                    throw state.layout == layout ? DBClientError.wrapping(error) : Self.rowsAreOld
                }
            }
        }
    }

    @inlinable
    func value(at index: Int, _ state: inout State) throws -> Model {
        if let values = state.values {
            try check(index, values.count)
            return values[index]
        }
        try check(index, state.keys.count)
        defer { state.last = index }
        if let value = state.batches[index] { return value }
        if let value = try load(index, &state) { return value }
        return try loadAnew(index, &state)
    }

    /// Refetches the keys, then reads the value at a position.
    @usableFromInline
    func loadAnew(_ index: Int, _ state: inout State) throws -> Model {
        for _ in 0..<3 {
            state.generation += 1
            state.batches.removeAll()
            try Self.open(&state, client, clientType, request, options)
            try check(index, state.values?.count ?? state.keys.count)
            if let values = state.values { return values[index] }
            if let value = try load(index, &state) { return value }
        }
        throw Self.snapshotIsGone
    }

    /// Reads the value at a position, with its neighbours where the positions come in a row.
    ///
    /// - Returns: The value; nil when the snapshot is gone.
    @inlinable
    func load(_ index: Int, _ state: inout State) throws -> Model? {
        if index == state.last + 1 || index == state.last - 1 {
            return try loadBatch(at: index, isBackwards: index < state.last, &state)
        }
        guard let snapshot = state.snapshot else { return nil }
        let key = try state.keys[index]
        var found: Model?
        let isThere = try snapshot.visit { reader in
            found =
                state.interceptors.isEmpty
                ? try Model.find(key: key, in: reader, of: clientType)
                : try ReadTransaction(reader, clientType, state.interceptors)
                    .find(Model.self, key: key)
        }
        guard isThere else { return nil }
        guard found != nil else { throw Self.valueIsMissing }
        return found.take()
    }

    /// Reads the values from a position on, or up to it.
    @usableFromInline
    func loadBatch(
        at index: Int,
        isBackwards: Bool,
        _ state: inout State
    ) throws -> Model? {
        let range =
            isBackwards
            ? Swift.max(index - options.batchSize + 1, 0)..<index + 1
            : index..<index + Swift.min(options.batchSize, state.keys.count - index)
        let keys = try state.keys[range]
        let found: [Model]? = try state.snapshot?.read { reader in
            try ReadTransaction(reader, clientType, state.interceptors)
                .find(Model.self, keys: keys)
        }
        guard let found else { return nil }
        guard found.count == range.count else { throw Self.valueIsMissing }
        state.batches.keep(found, from: range.lowerBound, atMost: options.maximumBatches)
        return found[index - range.lowerBound]
    }

    @inlinable
    func check(_ index: Int, _ count: Int) throws {
        guard index >= 0, index < count else { throw Self.positionIsOutside }
    }

    @usableFromInline static var positionIsOutside: DBClientError {
        DBClientError(
            .invalidRequest,
            "The position must be that of a value in the results.",
            entity: Model.Storage.schema.entity.name
        )
    }

    @usableFromInline static var valueIsMissing: DBClientError {
        DBClientError(
            .corrupt,
            "A snapshot must have the value of each key that it names; one is missing.",
            entity: Model.Storage.schema.entity.name
        )
    }

    private static var rowsAreOld: DBClientError {
        DBClientError(
            .invalidRequest,
            "Rows must be those of the present values; the values were refetched and have changed.",
            entity: Model.Storage.schema.entity.name,
            hint: "Ask the results for their rows again."
        )
    }

    private static var snapshotIsGone: DBClientError {
        DBClientError(
            .timeout,
            "A snapshot must last until a value is read from it; each one expired before.",
            entity: Model.Storage.schema.entity.name,
            hint: "Raise `maximumSnapshotAge`."
        )
    }

    private static func open(
        _ state: inout State,
        _ client: any DBClient,
        _ clientType: any EngineBackedClient.Type,
        _ request: FetchRequest<Model>,
        _ options: FetchedResultsOptions
    ) throws {
        guard let (snapshot, interceptors) = try client.openSnapshot() else {
            state.values = try client.readBlocking { try $0.fetch(request) }
            return
        }
        state.snapshot = snapshot
        state.interceptors = interceptors
        let found: PackedKeys<Model.PrimaryKey>? = try snapshot.read { reader in
            let transaction = ReadTransaction(reader, clientType, interceptors)
            let query = try Model.mapping(in: transaction).rowQuery(request)
            var keys = PackedKeys<Model.PrimaryKey>(of: query.entity)
            let key = query.entity.primaryKey.map { RowGrouping.Key($0) }
            try transaction.select(key, of: query) { batch in
                try keys.append(batch)
                return true
            }
            keys.shrink()
            return keys
        }
        guard let found else { throw snapshotIsGone }
        if !found.isEqual(to: state.keys) { state.layout += 1 }
        state.keys = found
        let nanoseconds = options.maximumSnapshotAge / .nanoseconds(1)
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .nanoseconds(Int(Swift.min(nanoseconds, 1e18)))
        ) { [weak snapshot] in snapshot?.release() }
    }
}

extension DBClient {
    /// Returns the values of a request by their positions, each read when it is asked for.
    ///
    /// The keys are read before the call returns; reading a value by its position then blocks the
    /// calling thread for as long as the engine takes.
    ///
    /// - Throws: What `fetch` throws.
    public func results<Request: FetchRequestConvertible>(
        of request: Request,
        options: FetchedResultsOptions = FetchedResultsOptions()
    ) async throws -> FetchedResults<Request.Model> {
        try Task.checkNotCancelled()
        let request = request.request
        // An engine may wait, for a connection or a server, and opens snapshots on the caller's thread.
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result { try FetchedResults(self, request, options) }
                )
            }
        }
    }
}

extension BlockingDBClient {
    /// Returns the values of a request by their positions, each read when it is asked for.
    ///
    /// - Throws: What `fetch` throws.
    public func results<Request: FetchRequestConvertible>(
        of request: Request,
        options: FetchedResultsOptions = FetchedResultsOptions()
    ) throws -> FetchedResults<Request.Model> {
        try FetchedResults(client, request.request, options)
    }
}

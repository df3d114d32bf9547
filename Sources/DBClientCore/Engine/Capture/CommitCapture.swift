/// The observers' side of one write transaction: decided when it begins, published when it is durable.
///
/// A `WriteQueue` makes one for each transaction. An engine without that queue, whose transactions may
/// run beside each other, makes its own, a new one for each attempt:
///
/// ```swift
/// var capture = CommitCapture(writer, hub, readsSnapshot: true)
/// do {
///     value = try body(capture.writer)
///     capture.endUnit()
///     capture.willCommit()
///     try commit()
/// } catch {
///     capture.didFail()
///     throw error
/// }
/// capture.didCommit()
/// ```
///
/// The order in which observers are told is that of `willCommit`. It is the order of the commits of any
/// one row when a transaction that writes what another one wrote does so after the other's commit, as
/// under snapshot isolation or with rows that are locked: then the other took its place before.
public struct CommitCapture {
    private let hub: ChangeHub?
    private let generation: Int
    private let recorder: CommitRecorder?
    private let readsSnapshot: Bool
    private var number: UInt64?
    /// The writer that the transaction's units use, which captures what they write.
    public let writer: any EngineWriter

    /// Begins a transaction.
    ///
    /// - Parameters:
    ///   - writer: The engine's side of the transaction.
    ///   - hub: The store's hub; nil when the store cannot be observed.
    ///   - readsSnapshot: Whether what the transaction reads of a row is what its write replaces. If not,
    ///     what observers have of the entities that it wrote is read again and compared.
    public init(_ writer: any EngineWriter, _ hub: ChangeHub?, readsSnapshot: Bool = true) {
        self.hub = hub
        self.readsSnapshot = readsSnapshot
        generation = hub?.watchGeneration ?? 0
        recorder = hub?.makeRecorder(generation)
        self.writer = recorder.map { CapturingWriter(writer, $0) } ?? writer
    }

    /// Ends a unit that succeeded, which observers are told of apart from the next.
    public func endUnit() {
        guard let recorder else { return }
        switch writer.takeUntrackedChanges() {
        case .none: break
        case .entities(let names): recorder.noteUntrackedWrites(of: names)
        case .all: recorder.noteUntrackedWrite()
        }
        recorder.endUnit(hasRows: readsSnapshot)
    }

    /// The changes of the units that ended, as far as they were observed when the transaction began; nil when
    /// nothing was.
    var units: [CapturedUnit]? { recorder?.units }

    /// The observed entities that no unit which ended did anything to, so that what the store itself writes
    /// of them in the transaction, such as through a trigger, is not captured.
    package var untouchedNames: Set<EntityName> { recorder?.untouchedNames ?? [] }

    /// Takes the commit's place in the order, before the store is asked for it.
    ///
    /// What comes later in the order is told after this commit's end is known, so it must be made known
    /// by one of the calls that follow.
    public mutating func willCommit() {
        if recorder != nil { number = hub?.beginCommit() }
    }

    /// Whether observers are told what the transaction did.
    package var isObserved: Bool { recorder != nil }

    /// Tells the observers of a commit that succeeded: a snapshot taken from now on has it.
    ///
    /// Foreign commits before it must have been told of by then.
    public func didCommit() {
        didCommit(unseen: [])
    }

    /// Tells the observers of a commit that succeeded, in which the store itself also wrote rows of some
    /// entities that the transaction's calls did not.
    package func didCommit(unseen names: Set<EntityName>) {
        guard let hub else { return }
        if let number {
            hub.endCommit(number, recorder, since: generation, unseen: names)
        } else if hub.watchGeneration != generation {
            // An observation began while the transaction ran without a recorder.
            hub.publishUnseen(.all)
        }
    }

    /// Takes back the place of a commit that failed, if it had one.
    public func didFail() {
        if let number { hub?.endCommit(number, nil, since: generation) }
    }

    /// Makes the observers look whether a commit took place whose answer was lost.
    public func mayHaveCommitted() {
        didFail()
        hub?.publishUnseen(.all)
    }
}

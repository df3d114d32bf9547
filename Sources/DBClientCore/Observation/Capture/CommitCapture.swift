/// The observers' side of one write transaction: decided when it begins, published when it is durable.
struct CommitCapture {
    private let hub: ChangeHub?
    private let generation: Int
    private let recorder: CommitRecorder?
    private var number: UInt64?
    /// What the transaction's units write through.
    let writer: any EngineWriter

    /// Begins a transaction.
    init(_ writer: any EngineWriter, _ hub: ChangeHub?) {
        self.hub = hub
        generation = hub?.watchGeneration ?? 0
        recorder = hub?.makeRecorder(generation)
        self.writer = recorder.map { CapturingWriter(writer, $0) } ?? writer
    }

    /// Ends a unit that succeeded.
    func endUnit() {
        recorder?.endUnit()
    }

    /// Takes the commit's place in the order, while the transaction still holds the write lock.
    mutating func willCommit() {
        if recorder != nil { number = hub?.beginCommit() }
    }

    /// Tells the observers of a commit that succeeded.
    func didCommit() {
        guard let hub else { return }
        if let number {
            hub.endCommit(number, recorder, since: generation)
        } else if hub.watchGeneration != generation {
            // Somebody began to watch while the transaction ran without a recorder.
            hub.publishUnseen(.all)
        }
    }

    /// Takes back the place of a commit that failed.
    func didFail() {
        if let number { hub?.endCommit(number, nil, since: generation) }
    }
}

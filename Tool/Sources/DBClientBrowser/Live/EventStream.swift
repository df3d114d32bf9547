import Synchronization

/// The events of one window of the page: any number of observations, of which each begins and ends by itself.
///
/// All of them share one connection, since a browser opens six of them to a server for all of its windows.
final class EventStream: Sendable {
    let mailbox = EventMailbox()
    /// The observations by the numbers that the page has given them; nil once the stream has ended.
    private let tasks = Mutex<[Int: Task<Void, Never>]?>([:])

    /// Begins an observation under a number, in place of the one that has it.
    ///
    /// - Parameters:
    ///   - number: The number, which goes with each event.
    ///   - follow: Posts events until it is cancelled.
    func begin(_ number: Int, _ follow: @escaping @Sendable (EventSink) async -> Void) {
        let sink = EventSink(mailbox: mailbox, number: number)
        mailbox.open(number)
        let task = Task { await follow(sink) }
        let surplus = tasks.withLock { tasks -> Task<Void, Never>? in
            if tasks == nil { return task }
            return tasks?.updateValue(task, forKey: number)
        }
        surplus?.cancel()
    }

    /// Ends an observation, if it goes on.
    func end(_ number: Int) {
        mailbox.close(number)
        tasks.withLock { $0?.removeValue(forKey: number) }?.cancel()
    }

    /// Ends all observations, and those that are begun from now on.
    func end() {
        let ended = tasks.withLock { tasks in
            defer { tasks = nil }
            return tasks ?? [:]
        }
        for task in ended.values { task.cancel() }
    }
}

/// Where an observation posts its events.
struct EventSink: Sendable {
    let mailbox: EventMailbox
    /// The number of the observation.
    let number: Int

    func post(_ event: PageEvent) { mailbox.post(event, of: number) }
}

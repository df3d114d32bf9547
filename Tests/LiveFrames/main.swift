import DBClientCore
import DBClientLive
import DBClientObjectStore
import Foundation

// A program with a main thread as an app has it: it shows 100,000 values, of which another task changes one every 10
// milliseconds, draws 50 of them every 8 milliseconds, and prints what that has cost the thread. A program of its own,
// since the main actor of a program with an asynchronous beginning has no thread of its own on Linux.
//
//     LiveFrames <seconds>

struct Row: Stored {
    let id: Int
    var name: String
    var power: Int

    static let schema = Schema<Row>(
        name: "Row",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.name, "name"),
            .field(\.power, "power"),
        ]
    )

    var primaryKey: Int { id }

    init(id: Int, name: String, power: Int) {
        self.id = id
        self.name = name
        self.power = power
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        power = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(power)
    }
}

/// The processor time of the main thread, in microseconds.
@MainActor
func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

let count = 100_000
let seconds = CommandLine.arguments.dropFirst().first.flatMap { Double($0) } ?? 10
let client = try ObjectStoreDBClient(.inMemory)
try client.blocking.insert((0..<count).map { Row(id: $0, name: "Row \($0)", power: $0) })
let live = client.live(Row.all.sorted { [$0.power.descending, $0.name] })
// A run loop without anything to wait for returns at once.
let keeper = Timer.scheduledTimer(withTimeInterval: 86_400, repeats: true) { _ in }
while !live.state.isReady { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01)) }

/// What some frames have cost the main thread, in microseconds.
struct Cost {
    var frames = 0
    var work = 0.0
    var longest = 0.0
    var late = 0
    var shown = 0
}

@MainActor
func draw(for seconds: Double) -> Cost {
    var cost = Cost()
    let end = Date(timeIntervalSinceNow: seconds)
    var due = Date()
    while due < end {
        due += 0.008
        // The thread sleeps until the frame is due, as it does for a display, and then does what has come.
        let rest = due.timeIntervalSinceNow
        if rest > 0 { Thread.sleep(forTimeInterval: rest) }
        let before = threadTime()
        _ = RunLoop.main.run(mode: .default, before: Date())
        let work = threadTime() - before
        cost.frames += 1
        cost.work += work
        cost.longest = max(cost.longest, work)
        if Date().timeIntervalSince(due) > 0.008 {
            cost.late += 1
            due = Date()
        }
        for position in 0..<50 { cost.shown &+= live[position].power }
    }
    return cost
}

let idle = draw(for: seconds / 2)
let first = live.revision
let clock = ContinuousClock()
let end = clock.now + .seconds(seconds)
let writer = Task.detached {
    var commits = 0
    while clock.now < end {
        let key = commits &* 7_919 % count
        let power = commits &* 104_729 % count
        try await client.update(Row.self, key: key) { $0.set(\.power, to: power) }
        commits += 1
        try await Task.sleep(for: .milliseconds(10))
    }
    return commits
}
let busy = draw(for: seconds)
let changes = live.revision - first
let beyond = max(0, busy.work - idle.work / Double(idle.frames) * Double(busy.frames))
print(
    """
    changes \(changes)
    frames \(busy.frames)
    microseconds \(Int(beyond / Double(max(1, changes))))
    microseconds-with-run-loop \(Int(busy.work / Double(max(1, changes))))
    longest \(Int(busy.longest))
    late \(busy.late)
    late-when-idle \(idle.late)
    idle-microseconds \(Int(idle.work / Double(idle.frames)))
    """
)

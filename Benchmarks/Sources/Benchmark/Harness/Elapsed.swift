import Foundation

/// What a piece of work took.
struct Elapsed: Sendable {
    /// By the clock on the wall: what the caller waits.
    var wall = Duration.zero
    /// By the clock of the process, all threads together: steadier on a machine that others use, and
    /// blind to waiting for the disk.
    var cpu = Duration.zero

    /// Adds two pieces of work.
    static func += (left: inout Elapsed, right: Elapsed) {
        left.wall += right.wall
        left.cpu += right.cpu
    }

    /// The processor time that this process has used so far.
    static var processTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// Measures a body a number of times over.
func elapsed(times: Int, _ body: () throws -> Void) throws -> Elapsed {
    try withoutActuallyEscaping(body) { body in
        try profiledRegion(MeasuredWork(times: times, body: body))
    }
}

/// The body in a box: given a closure itself, the optimiser makes a copy of `profiledRegion` under
/// another name for each.
private struct MeasuredWork {
    let times: Int
    let body: () throws -> Void
}

/// Measures work under a name of its own, so that a profiler can be told to look at nothing else.
@_silgen_name("benchmark_profiled_region")
@inline(never)
@_optimize(none)
private func profiledRegion(_ work: MeasuredWork) throws -> Elapsed {
    let cpu = Elapsed.processTime
    let wall = ContinuousClock.now
    for _ in 0..<work.times { try work.body() }
    return Elapsed(wall: ContinuousClock.now - wall, cpu: Elapsed.processTime - cpu)
}

/// Measures an asynchronous body.
func elapsed(_ body: () async throws -> Void) async rethrows -> Elapsed {
    let cpu = Elapsed.processTime
    let wall = ContinuousClock.now
    try await body()
    return Elapsed(wall: ContinuousClock.now - wall, cpu: Elapsed.processTime - cpu)
}

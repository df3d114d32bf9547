import CFuzzer
import Foundation
import Fuzzing

// A target of `Fuzzing` under libFuzzer, which makes inputs by the ways that they take: `script/fuzz` starts it with the
// name of a target in DBCLIENT_FUZZ_TARGET, and libFuzzer's own arguments.

private let name = ProcessInfo.processInfo.environment["DBCLIENT_FUZZ_TARGET"] ?? ""
guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    print(
        "DBCLIENT_FUZZ_TARGET must be one of \(FuzzTarget.all.map(\.name).joined(separator: ", "))."
    )
    exit(64)
}

/// What the body reaches, which takes nothing along.
private nonisolated(unsafe) let run = try FuzzRun(target)

private var count = CommandLine.argc
private var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
private let status = LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    do {
        try run.decode(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}
exit(status)

import Foundation

/// The second process: this program again, told to write.
struct Writer {
    private let process = Process()

    init(_ engine: EngineKind, _ folder: URL, pause: Int) {
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["write", engine.rawValue, folder.path, "--pause", "\(pause)"]
    }

    func start() throws {
        try process.run()
    }

    /// Waits for the end of the process.
    ///
    /// - Throws: An error when the process failed.
    func wait() throws {
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CocoaError(.executableLoad)
        }
    }
}

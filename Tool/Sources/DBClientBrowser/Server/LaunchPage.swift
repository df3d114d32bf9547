import DBClientTool
import Foundation

/// A file that leads a browser to the page.
///
/// The address has the token, and the arguments of a command are seen by other users of the machine, so a browser is
/// given this file, which its owner alone can read.
struct LaunchPage {
    private let path: String

    /// Makes the file and opens it in the browser of the system.
    init(to address: String) throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("dbclient-\(UUID().uuidString).html").path
        let text = "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=\(address)\">\n"
        guard
            FileManager.default.createFile(
                atPath: path,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        else { throw ToolError("The file \(path) must be writable, to open the page with.") }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        #if os(macOS)
        process.arguments = ["open", path]
        #else
        process.arguments = ["xdg-open", path]
        #endif
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { process in
            if process.terminationStatus != 0 {
                Terminal.note("No browser could be opened; the address is above.")
            }
        }
        try process.run()
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}

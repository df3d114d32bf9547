import Foundation
import PackagePlugin

/// Runs `dbclient generate` in the folder of the package, with the arguments of `swift package dbclient-generate`.
@main
struct GenerateModels: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let process = Process()
        process.executableURL = try context.tool(named: "dbclient").url
        process.arguments = ["generate"] + arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw Failure(status: process.terminationStatus)
        }
    }

    /// The command has failed, and has said why.
    struct Failure: Error, CustomStringConvertible {
        let status: Int32

        var description: String { "dbclient generate ended with \(status)." }
    }
}

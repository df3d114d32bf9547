package import ArgumentParser
import DBClientCore
import Foundation

/// A command whose failures are shown in one form, with one set of exit codes.
package protocol StoreCommand: AsyncParsableCommand {
    /// Does what the command is for.
    ///
    /// - Returns: Whether all is well: where stores differ or damage was found it is not.
    func perform() async throws -> Bool
}

extension StoreCommand {
    /// Runs the command: 0 for success, 1 for a failure, 2 where stores differ or damage was found, 64 for an argument
    /// that was not understood.
    package func run() async throws {
        do {
            if try await perform() { return }
        } catch let error as ExitCode {
            throw error
        } catch {
            Terminal.note("dbclient: \(Failure.text(error))")
            let isOfArgument = (error as? ToolError)?.isOfArgument == true
            throw isOfArgument ? ExitCode.validationFailure : ExitCode.failure
        }
        throw ExitCode(2)
    }
}

/// Errors as the command shows them.
package enum Failure {
    package static func text(_ error: any Error) -> String {
        switch error {
        case let error as ToolError: error.description
        case let failure as ImportFailure:
            "Line \(failure.line) or some hundred before it: \(text(failure.error))"
        case let error as DBClientError: text(error)
        default: "\(error)"
        }
    }

    private static func text(_ error: DBClientError) -> String {
        let place = [error.entity, error.field].compactMap { $0 }.joined(separator: ".")
        let key = error.key.map { " (key \($0))" } ?? ""
        let message = (place.isEmpty ? "" : "\(place)\(key): ") + error.message
        if error.hint?.contains("SQLiteConfiguration") == true, error.code == .permission {
            return "\(message) Give --trust-schema if you trust every program that wrote the file."
        }
        return error.hint.map { "\(message) \($0)" } ?? message
    }
}

import ArgumentParser
import DBClientCore
import Foundation

/// The program: the same tour on each engine that is asked for.
@main
struct HeroesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Heroes",
        abstract: "Keeps 539 comic characters in each engine and shows that all give the same.",
        discussion: """
            Imports the data, queries it, updates, upserts and deletes, and saves teams with what they \
            hold, with the same code for each engine. Exits with 1 when the engines differ, with 64 \
            when the arguments are wrong.
            """
    )

    @Option(
        name: .customLong("engine"),
        help: "An engine to show; may be repeated. Without it, all are shown."
    )
    var engines: [EngineKind] = []

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "Where the engine keeps its file, which stays. Only with one engine that has a file.",
            valueName: "path"
        )
    )
    var path: String?

    mutating func validate() throws {
        var seen: Set<EngineKind> = []
        engines = engines.filter { seen.insert($0).inserted }
        if engines.isEmpty && path == nil { engines = EngineKind.allCases.filter(\.isAvailable) }
        guard let path else { return }
        guard engines.count == 1, let engine = engines.first else {
            throw ValidationError("--at needs exactly one --engine: each keeps a file of its own.")
        }
        guard engine.hasFile else {
            throw ValidationError("--at makes no sense with \(engine.rawValue): it has no file.")
        }
        guard !path.isEmpty else { throw ValidationError("--at needs a path.") }
        guard !FileManager.default.fileExists(atPath: path) else {
            throw ValidationError(
                "There is something at \(path) already. Remove it, or give another path."
            )
        }
    }

    func run() async throws {
        let file = try HeroesFile.load()
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var reports: [Tour.Report] = []
        for engine in engines {
            let url = path.map { URL(fileURLWithPath: $0) } ?? folder.url(engine.rawValue)
            let store = try await engine.open(at: url)
            do {
                reports.append(try await Tour(engine: engine, file: file).run(on: store.client))
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
            Terminal.print()
        }
        let isSame = Comparison(reports: reports).show()
        if let path { Terminal.print("The data is at \(path).") }
        if !isSame { throw ExitCode.failure }
    }
}

import ArgumentParser
import DBClientCore
import Foundation

/// The program: a ranking that is drawn again whenever another process writes.
@main
struct LiveHeroesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "LiveHeroes",
        abstract: "Shows a sorted table of heroes live, while a second process writes them.",
        subcommands: [Watch.self, Write.self],
        defaultSubcommand: Watch.self
    )
}

/// Shows the table until the second process has ended.
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the table and starts a second process that writes."
    )

    @Argument(help: "The engine: \(EngineKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var engine = EngineKind.objectStore

    @Option(help: "The pause between two writes of the second process, in milliseconds.")
    var pause = 250

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("live-heroes-\(UUID().uuidString)")
        try await engine.prepare(folder)
        let client = try await engine.open(in: folder)
        try await client.insert(Script.beginning)
        let result: Result<Void, any Error>
        do {
            result = .success(try await show(client, writer: Writer(engine, folder, pause: pause)))
        } catch {
            result = .failure(error)
        }
        try client.close()
        try await engine.remove(folder)
        try result.get()
    }

    private func show(_ client: any DBClient, writer: Writer) async throws {
        var table = LiveTable()
        for try await change in client.observe(Hero.ranking) {
            let summary = table.apply(change)
            print("\(summary)\n\(table.text)\n")
            if case .initial = change { try writer.start() }
            // The last write of the script is the one that takes the first place.
            if table.rows.first?.hero.identifier == Script.champion { break }
        }
        try writer.wait()
        let stored = try await client.fetch(Hero.ranking)
        let isSame = table.rows.map(\.hero.identifier) == stored.map(\.identifier)
        print(isSame ? "The table is what a fetch finds." : "The table differs from a fetch.")
        if !isSame { throw ExitCode.failure }
    }
}

/// Writes what the script says.
struct Write: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes heroes to a store that another process shows."
    )

    @Argument var engine: EngineKind
    @Argument var path: String
    @Option var pause = 250

    func run() async throws {
        let client = try await engine.open(in: URL(fileURLWithPath: path))
        for step in Script.steps {
            try await Task.sleep(for: .milliseconds(pause))
            try await client.write(step)
        }
        try client.close()
    }
}

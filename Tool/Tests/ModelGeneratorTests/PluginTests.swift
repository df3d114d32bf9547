import Foundation
import Testing

/// The plugin of the package, in a package with a program in the place of the command, which says how it was called.
@Suite(.timeLimit(.minutes(5)))
struct PluginTests {
    private static let plugin = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Plugins/GenerateModels").standardizedFileURL

    private func makePackage(in folder: URL) throws {
        func write(_ text: String, to path: String) throws {
            let url = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        try write(
            """
            // swift-tools-version: 6.1
            import PackageDescription

            let package = Package(
                name: "Consumer",
                targets: [
                    .executableTarget(name: "dbclient"),
                    .plugin(
                        name: "GenerateModels",
                        capability: .command(
                            intent: .custom(verb: "dbclient-generate", description: "Models"),
                            permissions: [.writeToPackageDirectory(reason: "Models")]
                        ),
                        dependencies: ["dbclient"]
                    ),
                ]
            )
            """,
            to: "Package.swift"
        )
        try write(
            """
            import Foundation

            let arguments = CommandLine.arguments.dropFirst()
            print("called in", FileManager.default.currentDirectoryPath)
            print("called with", arguments.joined(separator: " "))
            if arguments.contains("missing.sqlite") { exit(1) }
            """,
            to: "Sources/dbclient/main.swift"
        )
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("Plugins"),
            withIntermediateDirectories: true
        )
        try FileManager.default.copyItem(
            at: Self.plugin,
            to: folder.appendingPathComponent("Plugins/GenerateModels")
        )
    }

    private func run(_ arguments: String..., in folder: URL) throws -> GeneratedProgram.Output {
        try GeneratedProgram.run(
            "/usr/bin/env",
            [
                "swift", "package", "--package-path", folder.path,
                "--allow-writing-to-package-directory", "dbclient-generate",
            ] + arguments
        )
    }

    @Test func thePluginRunsTheCommandInThePackage() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try makePackage(in: folder.url)
        let output = try run("a.sqlite", "--output", "Sources/Model", in: folder.url)
        #expect(output.status == 0, "\(output.lines)")
        let place = folder.url.resolvingSymlinksInPath().path
        #expect(output.lines.contains("called in \(place)"), "\(output.lines)")
        #expect(
            output.lines.contains("called with generate a.sqlite --output Sources/Model"),
            "\(output.lines)"
        )
        let failed = try run("missing.sqlite", in: folder.url)
        #expect(failed.status != 0)
        #expect(failed.lines.contains { $0.contains("dbclient generate ended with 1.") })
    }
}

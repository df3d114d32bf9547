import DBClientCore

/// A folder of notes, in another or in none.
@Stored struct Folder: Equatable {
    @PrimaryKey let id: Int
    var name: String
    var isHidden: Bool
    var parent: Reference<Folder>?
}

/// A task that waits for others.
@Stored struct PlannedTask {
    @PrimaryKey let id: Int
    var title: String
    var isDone: Bool
    var needs: References<PlannedTask>
}

func trees(on client: any DBClient) async throws {
    // snippet: trees
    let outline = Folder.descendants(of: 1, through: \.parent)
        .includingStart()
        .sorted { $0.name }
        .order(.depthFirst)
    for node in try await client.fetch(outline) {
        print(String(repeating: "  ", count: node.depth) + node.model.name)
    }
    let trail = try await client.fetch(Folder.ancestors(of: 12, through: \.parent))
    let visible = Folder.descendants(of: [1, 2], through: \.parent)
        .pruned { $0.isHidden }
        .depth(atMost: 3)
    let count = try await client.count(visible)
    // end snippet
    _ = (trail, count)
}

func graphs(on client: any DBClient) async throws {
    // snippet: graphs
    let open = PlannedTask.descendants(of: 7, through: \.needs)
        .filter { !$0.isDone }
        .withPaths()
        .refusingCircles()
    for node in try await client.fetch(open) {
        print(node.model.title, node.path ?? [])
    }
    // end snippet
}

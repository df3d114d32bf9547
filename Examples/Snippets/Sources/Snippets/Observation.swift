import DBClientCore

/// A list that shows characters.
@MainActor
final class CharacterList {
    private(set) var rows: [Character] = []
    private(set) var failure: DBClientError?
    private var token: ObservationToken?

    func show(_ heroes: some Sequence<Character>) {
        rows = Array(heroes)
    }

    func apply(_ changes: ChangeSet<Character>) {
        changes.apply(to: &rows)
    }

    func follow(_ change: Change<Character>) {
        switch change {
        case .initial(let heroes): show(heroes)
        case .update(let changes): apply(changes)
        }
    }

    // snippet: observe-closure
    func follow(_ client: any DBClient) {
        token = client.observe(
            Character.where { $0.publisher == 1 },
            onFailure: { [weak self] error in self?.failure = error },
            { [weak self] change in
                switch change {
                case .initial(let heroes): self?.show(heroes)
                case .update(let changes): self?.apply(changes)
                }
            }
        )
    }
    // end snippet

    // snippet: observe-silence
    func remove(_ hero: Character, from client: any DBClient) async throws {
        guard let token else { return }
        rows.removeAll { $0.identifier == hero.identifier }
        try await client.write(withoutNotifying: token) { try $0.delete(hero) }
    }
    // end snippet
}

func observe(_ client: any DBClient, in list: CharacterList) async throws {
    // snippet: observe
    let villains = Character.where { $0.alignment == .villain }.sorted { $0.name }
    for try await change in client.observe(villains) {
        switch change {
        case .initial(let heroes): await list.show(heroes)
        case .update(let changes): await list.apply(changes)
        }
    }
    // end snippet
    // snippet: observe-values-alone
    for try await change in client.observe(villains) {
        await list.show(change.objects)
    }
    // end snippet
}

/// What a screen shows at once.
struct Sidebar: Equatable {
    var villains: Int
    var newest: [String]
    var favourite: String?
}

extension CharacterList {
    func show(_ sidebar: Sidebar) {
        print(sidebar.villains, "villains; the newest:", sidebar.newest)
    }
}

func observeReads(_ client: any DBClient, in list: CharacterList) async throws {
    // snippet: observe-reads
    let newest = Character.all.sorted { $0.identifier.descending }.limit(5)
    let sidebars = client.observe { transaction in
        Sidebar(
            villains: try transaction.count(Character.where { $0.alignment == .villain }),
            newest: try transaction.fetch(newest.select(\.name)),
            favourite: try transaction.find(Character.self, key: 1455)?.name
        )
    }
    for try await sidebar in sidebars { await list.show(sidebar) }
    // end snippet
}

func observeGroups(_ client: any DBClient) async throws {
    // snippet: observe-groups
    let largest = Character.all.grouped(by: \.publisher)
        .having { $0.count > 10 }
        .sorted { $0.count.descending }
        .limit(50)
        .select(.count, .min(\.firstAppearance.year))
    for try await change in client.observe(largest) {
        print(change.rows.map(\.key), change.insertions, change.moves)
    }
    // end snippet

    // snippet: observe-joins
    let pairs = Character.join(Character.self) { $0.publisher == $1.publisher }
        .filter { one, other in one.identifier < other.identifier }
        .sorted { one, other in [one.name.ascending, other.name.ascending] }
    for try await change in client.observe(pairs.select { one, other in (one.name, other.name) }) {
        print(change.rows.count, change.insertions, change.deletions)
    }
    // end snippet
}

func observeValues(_ client: any DBClient) async throws {
    // snippet: observe-values
    let villains = Character.where { $0.alignment == .villain }
    let hero = client.observe(Character.self, key: 1455)
    let number = client.observeCount(villains)
    let hasVillains = client.observeExists(villains)
    let earliest = client.observeMin(\.firstAppearance.year, of: villains)
    let isCrowded = client.observe(villains) { try $0.count(villains) > 100 }
    // end snippet
    _ = (hero, number, hasVillains, earliest, isCrowded)
}

@MainActor
func observeDelivered(_ client: any DBClient, in list: CharacterList) -> [ObservationToken] {
    // snippet: observe-deliver
    let villains = Character.where { $0.alignment == .villain }
    let counting = client.observeCount(villains)
        .deliver(onFailure: { print($0) }, { print($0, "villains") })
    let naming = client.observe(villains, fields: \.name)
        .deliver(onFailure: { print($0) }, { list.follow($0) })
    // end snippet
    return [counting, naming]
}

func observeFields(_ client: any DBClient) async throws {
    // snippet: observe-fields
    let names = client.observe(Character.all, fields: \.name, \.publisher)
    // end snippet
    _ = names
}

func commits(_ client: any DBClient) async throws {
    // snippet: observe-commits
    for try await commit in client.changes(of: Character.self) {
        for hero in commit.inserted { print("new:", hero.name) }
        for update in commit.updated { print(update.before.name, "is now", update.after.name) }
        for hero in commit.deleted { print("gone:", hero.name) }
    }
    // end snippet
}

func sections(_ changes: ChangeSet<Character>) {
    // snippet: observe-sections
    let sectioned = changes.sectioned { $0.name.prefix(1).uppercased() }
    for index in sectioned.insertedSections {
        print("new section:", sectioned.sections[index].key)
    }
    // end snippet
}

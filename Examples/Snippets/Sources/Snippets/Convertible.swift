import DBClientCore
import DBClientObjectStore

struct UnknownCharacter: Error {}

// snippet: convertible
struct Profile: StoredConvertible {
    let identifier: Int
    var title: String

    var primaryKey: Int { identifier }

    init(storage: Character) throws {
        identifier = storage.identifier
        title = storage.realName.map { "\(storage.name) (\($0))" } ?? storage.name
    }

    func storage(existing: Character?) throws -> Character {
        guard var character = existing else { throw UnknownCharacter() }
        character.name = title
        return character
    }
}
// end snippet

func profiles(on client: any DBClient) async throws {
    // snippet: convertible-use
    let heroes = try await client.fetch(Profile.where { $0.alignment == .hero }.sorted { $0.name })
    try await client.upsert(heroes)
    // end snippet
    // snippet: storage-request
    let stored = FetchRequest<Character>(Profile.where { $0.alignment == .hero })
    // end snippet
    _ = stored
}

@Stored struct TagRecord {
    @PrimaryKey let number: Int
    var text: String
}

// snippet: representable
struct Tag: StoredRepresentable {
    let number: Int
    var words: [String]

    var primaryKey: Int { number }

    init(storage: TagRecord) {
        number = storage.number
        words = storage.text.split(separator: " ").map(String.init)
    }

    func storage() -> TagRecord {
        TagRecord(number: number, text: words.joined(separator: " "))
    }
}
// end snippet

@Stored struct TaskRecord {
    @PrimaryKey let identifier: Int
    var title: String
    var isDone: Bool
}

struct Task: StoredConvertible {
    let identifier: Int
    var title: String
    var isDone: Bool

    var primaryKey: Int { identifier }
}

extension Task {
    init(storage: TaskRecord) {
        self.init(identifier: storage.identifier, title: storage.title, isDone: storage.isDone)
    }

    func storage(existing: TaskRecord?) -> TaskRecord {
        TaskRecord(identifier: identifier, title: title, isDone: isDone)
    }
}

@Stored struct PackedTask {
    @PrimaryKey let identifier: Int
    var title: String
    var marks: [String]
}

// snippet: object-store-model
extension Task: ObjectStoreModelConvertible {
    init(objectStoreModel: PackedTask) {
        self.init(
            identifier: objectStoreModel.identifier,
            title: objectStoreModel.title,
            isDone: objectStoreModel.marks.contains("done")
        )
    }

    func objectStoreModel(existing: PackedTask?) -> PackedTask {
        let others = existing?.marks.filter { $0 != "done" } ?? []
        return PackedTask(
            identifier: identifier,
            title: title,
            marks: isDone ? others + ["done"] : others
        )
    }
}
// end snippet

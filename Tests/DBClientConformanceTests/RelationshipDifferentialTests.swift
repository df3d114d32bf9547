#if Macros
import DBClientCore
import DBClientTesting
import Testing

@Stored struct Teacher: Hashable {
    @PrimaryKey let id: Int
    @Indexed var name: String?
}

@Stored struct Book: Hashable {
    @PrimaryKey let title: String
    var pages: Int
}

@Stored struct Pupil: Equatable {
    @PrimaryKey let id: Int
    var teacher: Teacher?
    @Relationship(onDelete: .cascade) var guardian: Teacher?
    var books: [Book]
    var wishes: Set<Book>
    var friend: Reference<Pupil>?
}

/// Random programs on values that hold values, against plain dictionaries.
@Suite(.serialized)
struct RelationshipDifferentialTests {
    @Test("Values that hold values end up as in plain dictionaries", arguments: Backends.chosen)
    func agrees(_ backend: ConformanceBackend) async throws {
        for seed in 1...40 as ClosedRange<UInt64> {
            let store = try backend.makeStore()
            let client = try await store.open()
            let random = RandomSource(seed: seed)
            var school = School()
            for step in 0..<25 {
                do {
                    try await school.advance(client, random)
                } catch {
                    Issue.record("seed \(seed), step \(step): \(error)")
                    break
                }
            }
            try client.close()
            store.remove()
        }
    }
}

/// What the store should hold.
struct School {
    var teachers: [Int: Teacher] = [:]
    var books: [String: Book] = [:]
    var pupils: [Int: Entry] = [:]

    /// A pupil with keys for what it holds.
    struct Entry {
        var teacher: Int?
        var guardian: Int?
        var books: [String]
        var wishes: Set<String>
        var friend: Int?
    }

    func pupil(_ id: Int) -> Pupil? {
        pupils[id].map { entry in
            Pupil(
                id: id,
                teacher: entry.teacher.flatMap { teachers[$0] },
                guardian: entry.guardian.flatMap { teachers[$0] },
                books: entry.books.compactMap { books[$0] },
                wishes: Set(entry.wishes.compactMap { books[$0] }),
                friend: entry.friend.map { Reference($0) }
            )
        }
    }

    var all: [Pupil] { pupils.keys.sorted().compactMap { pupil($0) } }

    mutating func advance(_ client: any DBClient, _ random: RandomSource) async throws {
        switch random.below(10) {
        case 0, 1, 2: try await save(client, random)
        case 3:
            let id = random.below(6)
            try await client.delete(Teacher.self, keys: [id])
            delete(teacher: id)
        case 4:
            let title = "b\(random.below(6))"
            try await client.delete(Book.self, keys: [title])
            delete(book: title)
        case 5:
            let id = random.below(9)
            try await client.delete(Pupil.self, keys: [id])
            delete(pupil: id)
        case 6: try await set(client, random)
        case 7, 8: try await changeEntities(client, random)
        default: break
        }
        try await compare(client, random)
    }

    mutating func delete(teacher id: Int) {
        teachers[id] = nil
        for (key, entry) in pupils {
            if entry.teacher == id { pupils[key]?.teacher = nil }
            if entry.guardian == id { delete(pupil: key) }
        }
    }

    mutating func delete(book title: String) {
        books[title] = nil
        for id in pupils.keys {
            pupils[id]?.books.removeAll { $0 == title }
            pupils[id]?.wishes.remove(title)
        }
    }

    mutating func delete(pupil id: Int) {
        pupils[id] = nil
        for (key, entry) in pupils where entry.friend == id { pupils[key]?.friend = nil }
    }

    private mutating func save(_ client: any DBClient, _ random: RandomSource) async throws {
        let made = random.list(upTo: 4) { random in
            Pupil(
                id: random.below(9),
                teacher: random.chance(70) ? makeTeacher(random) : nil,
                guardian: random.chance(30) ? makeTeacher(random) : nil,
                books: random.list(upTo: 3) { makeBook($0) },
                wishes: Set(random.list(upTo: 3) { makeBook($0) }),
                friend: random.chance(30) ? Reference(random.below(9)) : nil
            )
        }
        // The last value of a key counts, among those that are held as well.
        var last: [Int: Pupil] = [:]
        for pupil in made { last[pupil.id] = pupil }
        let values = made.filter { last[$0.id] == $0 }
        var held = (teachers: [Int: Teacher](), books: [String: Book]())
        for pupil in values {
            for teacher in [pupil.teacher, pupil.guardian].compactMap(\.self) {
                held.teachers[teacher.id] = teacher
            }
            for book in pupil.books { held.books[book.title] = book }
            for book in pupil.wishes { held.books[book.title] = book }
        }
        let there = Set(pupils.keys).union(values.map(\.id))
        if values.contains(where: { $0.friend.map { !there.contains($0.key) } ?? false }) {
            do {
                try await client.upsert(values)
                throw ConformanceMismatch("a dangling reference was taken")
            } catch let error as DBClientError {
                guard error.code == .danglingReference else { throw error }
            }
            return
        }
        let outcome = try await client.upsert(values)
        teachers.merge(held.teachers) { $1 }
        books.merge(held.books) { $1 }
        for pupil in values {
            pupils[pupil.id] = Entry(
                teacher: pupil.teacher?.id,
                guardian: pupil.guardian?.id,
                books: pupil.books.map(\.title),
                wishes: Set(pupil.wishes.map(\.title)),
                friend: pupil.friend?.key
            )
        }
        let returned = (outcome.inserted + outcome.updated).sorted { $0.id < $1.id }
        let expected = last.keys.sorted().compactMap { self.pupil($0) }
        guard returned == expected else {
            throw ConformanceMismatch("returned \(returned), stored \(expected)")
        }
    }

    private mutating func set(_ client: any DBClient, _ random: RandomSource) async throws {
        let teacher = makeTeacher(random)
        let list = [makeBook(random)]
        let bound = random.below(9)
        let count = try await client.update(Pupil.where { $0.id >= bound }) {
            $0.set(\.teacher, to: teacher)
            $0.set(\.books, to: list)
        }
        let changed = pupils.keys.filter { $0 >= bound }
        guard count == changed.count else { throw ConformanceMismatch("\(count) were set") }
        if changed.isEmpty { return }
        teachers[teacher.id] = teacher
        for book in list { books[book.title] = book }
        for id in changed {
            pupils[id]?.teacher = teacher.id
            pupils[id]?.books = list.map(\.title)
        }
    }

    private func makeTeacher(_ random: RandomSource) -> Teacher {
        Teacher(id: random.below(6), name: random.chance(20) ? nil : "t\(random.below(3))")
    }

    private func makeBook(_ random: RandomSource) -> Book {
        Book(title: "b\(random.below(6))", pages: random.below(4))
    }

    private func compare(_ client: any DBClient, _ random: RandomSource) async throws {
        let expected = all
        try await check("all", client, Pupil.all, expected)
        let found = try await client.fetch(Teacher.all)
        guard found == teachers.values.sorted(by: { $0.id < $1.id }) else {
            throw ConformanceMismatch("teachers \(found)")
        }
        let name = "t\(random.below(3))"
        let pages = random.below(4)
        let title = "b\(random.below(6))"
        let number = random.below(4)
        try await check("name", client, Pupil.where { $0.teacher.name == name }) {
            $0.teacher?.name == name
        }
        try await check("not name", client, Pupil.where { $0.teacher.name != name }) {
            $0.teacher?.name != name
        }
        try await check("nil", client, Pupil.where { $0.teacher.name == nil }) {
            $0.teacher?.name == nil
        }
        try await check(
            "either",
            client,
            Pupil.where { !($0.teacher.name == name || $0.guardian.name.hasSuffix("1")) }
        ) { !($0.teacher?.name == name || ($0.guardian?.name?.hasSuffix("1") ?? false)) }
        try await check("any", client, Pupil.where { $0.books.contains { $0.pages > pages } }) {
            $0.books.contains { $0.pages > pages }
        }
        try await check(
            "every",
            client,
            Pupil.where { $0.wishes.allSatisfy { $0.pages >= pages && $0.title != title } }
        ) { $0.wishes.allSatisfy { $0.pages >= pages && $0.title != title } }
        try await check("count", client, Pupil.where { $0.books.count <= number }) {
            $0.books.count <= number
        }
        try await check(
            "count of some",
            client,
            Pupil.where { $0.books.count(where: { $0.title == title }) < number }
        ) { $0.books.count { $0.title == title } < number }
        let mentors = Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0) })
        try await check("friend", client, Pupil.where { $0.friend.teacher.name == name }) {
            $0.friend.flatMap { mentors[$0.key] }?.teacher?.name == name
        }
        try await check("no books of a friend", client, Pupil.where { $0.friend.books.isEmpty }) {
            ($0.friend.flatMap { mentors[$0.key] }?.books ?? []).isEmpty
        }
        try await check("sum", client, Pupil.where { $0.books.sum(\.pages) > pages }) {
            $0.books.reduce(0) { $0 + $1.pages } > pages
        }
        try await check(
            "sum of some",
            client,
            Pupil.where { $0.books.sum(\.pages, where: { $0.title != title }) <= number }
        ) { $0.books.reduce(0) { $0 + ($1.title == title ? 0 : $1.pages) } <= number }
        try await check("average", client, Pupil.where { $0.wishes.average(\.pages) < 1.75 }) {
            $0.wishes.isEmpty ? false : $0.wishes.averagePages < 1.75
        }
        try await check("greatest", client, Pupil.where { $0.wishes.max(\.pages) != pages }) {
            $0.wishes.map(\.pages).max() != pages
        }
        try await check("least", client, Pupil.where { $0.friend.books.min(\.pages) <= number }) {
            let books = $0.friend.flatMap { mentors[$0.key] }?.books ?? []
            return books.map(\.pages).min().map { $0 <= number } ?? false
        }
        let sorted = expected.sorted { left, right in
            let (first, second) = (left.teacher?.name ?? "", right.teacher?.name ?? "")
            return first == second ? left.id > right.id : first < second
        }
        try await check(
            "sorted",
            client,
            Pupil.all.sorted { [$0.teacher.name, $0.id.descending] }.offset(number),
            Array(sorted.dropFirst(number))
        )
        let request = Pupil.all.sorted { [$0.teacher.name, $0.id.descending] }
        if let last = sorted.dropFirst(number).first {
            let rest = Array(sorted.dropFirst(number + 1))
            try await check("after", client, request.after(last), rest)
        }
        try await checkComputedSort(client, random)
        var streamed: [Pupil] = []
        for try await pupil in client.stream(request, batchSize: 1 + number) {
            streamed.append(pupil)
        }
        guard streamed == sorted else { throw ConformanceMismatch("streamed \(streamed)") }
    }

    private func check(
        _ label: String,
        _ client: any DBClient,
        _ request: FetchRequest<Pupil>,
        _ holds: (Pupil) -> Bool
    ) async throws {
        try await check(label, client, request, all.filter(holds))
        let count = try await client.count(request)
        guard count == all.count(where: holds) else {
            throw ConformanceMismatch("\(label): counts \(count)")
        }
    }

    private func check(
        _ label: String,
        _ client: any DBClient,
        _ request: FetchRequest<Pupil>,
        _ expected: [Pupil]
    ) async throws {
        let found = try await client.fetch(request)
        guard found == expected else {
            throw ConformanceMismatch("\(label): found \(found), expected \(expected)")
        }
    }
}

extension Set<Book> {
    fileprivate var averagePages: Double { Double(reduce(0) { $0 + $1.pages }) / Double(count) }
}

/// A store that differs from the dictionaries.
struct ConformanceMismatch: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
#endif

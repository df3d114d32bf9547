#if Macros
import DBClientCore
import DBClientTesting

/// One thing done to the live rows of a transaction.
private enum EntityChange: Sendable {
    case teacher(pupil: Int, Teacher?)
    case guardian(pupil: Int, teacher: Int)
    case books(pupil: Int, [Book])
    case reversal(pupil: Int)
    case wishes(pupil: Int, of: Int)
    case friend(pupil: Int, Int)
    case name(teacher: Int, String?)
    case pupil(Pupil)
    case removedTeacher(Int)
    case removedBook(String)
    case removedPupil(Int)
    case flush
}

extension School {
    /// Changes live rows at random in one transaction.
    mutating func changeEntities(_ client: any DBClient, _ random: RandomSource) async throws {
        let changes = random.list(upTo: 8) { random -> EntityChange in
            let shelf = (0..<6).map { Book(title: "b\($0)", pages: random.below(4)) }
            let staff = (0..<6).map {
                Teacher(id: $0, name: random.chance(20) ? nil : "t\($0 % 3)")
            }
            let pupil = random.below(9)
            switch random.below(12) {
            case 0: return .teacher(pupil: pupil, random.chance(70) ? staff[random.below(6)] : nil)
            case 1: return .guardian(pupil: pupil, teacher: random.below(6))
            case 2: return .books(pupil: pupil, random.list(upTo: 3) { shelf[$0.below(6)] })
            case 3: return .reversal(pupil: pupil)
            case 4: return .wishes(pupil: pupil, of: random.below(9))
            case 5: return .friend(pupil: pupil, random.below(9))
            case 6: return .name(teacher: random.below(6), random.chance(20) ? nil : "t1")
            case 7, 8:
                return .pupil(
                    Pupil(
                        id: pupil,
                        teacher: random.chance(70) ? staff[random.below(6)] : nil,
                        guardian: random.chance(30) ? staff[random.below(6)] : nil,
                        books: random.list(upTo: 3) { shelf[$0.below(6)] },
                        wishes: Set(random.list(upTo: 3) { shelf[$0.below(6)] }),
                        friend: nil
                    )
                )
            case 9: return .removedTeacher(random.below(6))
            case 10: return .removedBook("b\(random.below(6))")
            default: return random.chance(50) ? .removedPupil(pupil) : .flush
            }
        }
        try await client.write { transaction in
            let context = try transaction.entities
            for change in changes { try change.apply(to: context) }
        }
        for change in changes { apply(change) }
    }

    private mutating func apply(_ change: EntityChange) {
        switch change {
        case .teacher(let id, let teacher):
            guard pupils[id] != nil else { return }
            if let teacher { teachers[teacher.id] = teacher }
            pupils[id]?.teacher = teacher?.id
        case .guardian(let id, let teacher):
            pupils[id]?.guardian = teachers[teacher]?.id
        case .books(let id, let list):
            guard pupils[id] != nil else { return }
            for book in list { books[book.title] = book }
            pupils[id]?.books = list.map(\.title)
        case .reversal(let id): pupils[id]?.books.reverse()
        case .wishes(let id, let other):
            let wishes = Set(pupils[other]?.books ?? [])
            pupils[id]?.wishes = wishes
        case .friend(let id, let friend):
            let isThere = pupils[friend] != nil
            pupils[id]?.friend = isThere ? friend : nil
        case .name(let id, let name): teachers[id]?.name = name
        case .pupil(let pupil):
            for teacher in [pupil.teacher, pupil.guardian].compactMap(\.self) {
                teachers[teacher.id] = teacher
            }
            for book in pupil.books + pupil.wishes { books[book.title] = book }
            pupils[pupil.id] = Entry(
                teacher: pupil.teacher?.id,
                guardian: pupil.guardian?.id,
                books: pupil.books.map(\.title),
                wishes: Set(pupil.wishes.map(\.title)),
                friend: nil
            )
        case .removedTeacher(let id): delete(teacher: id)
        case .removedBook(let title): delete(book: title)
        case .removedPupil(let id): delete(pupil: id)
        case .flush: break
        }
    }
}

extension EntityChange {
    func apply(to context: EntityContext) throws {
        func pupil(_ id: Int) throws -> ManagedEntity? { try context.find(Pupil.self, key: id) }
        switch self {
        case .teacher(let id, let teacher): try pupil(id)?.set(\Pupil.teacher, to: teacher)
        case .guardian(let id, let teacher):
            let entity = try context.find(Teacher.self, key: teacher)
            try pupil(id)?.set(\Pupil.guardian, to: entity)
        case .books(let id, let list): try pupil(id)?.set(\Pupil.books, to: list)
        case .reversal(let id):
            guard let entity = try pupil(id) else { return }
            try entity.set(\Pupil.books, to: entity.entities(\Pupil.books).reversed())
        case .wishes(let id, let other):
            let books = try pupil(other)?.entities(\Pupil.books) ?? []
            try pupil(id)?.set(\Pupil.wishes, to: books)
        case .friend(let id, let friend):
            let entity = try pupil(friend)
            try pupil(id)?.set(\Pupil.friend, to: entity)
        case .name(let id, let name):
            try context.find(Teacher.self, key: id)?.set(\Teacher.name, to: name)
        case .pupil(let value):
            if let entity = try pupil(value.id) {
                try entity.set(value)
            } else {
                try context.insert(value)
            }
        case .removedTeacher(let id): try remove(context.find(Teacher.self, key: id))
        case .removedBook(let title): try remove(context.find(Book.self, key: title))
        case .removedPupil(let id): try remove(pupil(id))
        case .flush: try context.flush()
        }
    }

    /// Deletes an entity at once, so that what holds it is changed before the next change.
    private func remove(_ entity: ManagedEntity?) throws {
        guard let entity else { return }
        try entity.context.delete(entity)
        try entity.context.flush()
    }
}
#endif

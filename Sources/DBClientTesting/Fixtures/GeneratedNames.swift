import DBClientCore
import Synchronization

/// A number that is a type, so that a shape of a loose model has it and there are as many as are wanted.
protocol NumberType: Sendable {
    static var number: Int { get }
}

enum Zero: NumberType {
    static let number = 0
}

enum Next<Number: NumberType>: NumberType {
    static var number: Int { Number.number + 1 }
}

/// A shape under made-up names that are hostile, of the entity and of both fields: others for each number.
enum GeneratedNames<Number: NumberType>: LooseShape {
    static var entity: String { name(0) }
    static var id: String { name(1) }
    static var other: String { name(2) }

    static func fields() -> [SchemaField<Loose<Self>>] {
        [
            .field(\.id, id, primaryKey: .given),
            .field(\.other, other, index: Number.number % 2 == 0 ? .plain : .unique),
        ]
    }

    static func indexes() -> [StoredIndex<Loose<Self>>] {
        Number.number % 3 == 0 ? [StoredIndex(\.other, \.id)] : []
    }

    private static func name(_ place: Int) -> String { Number.name(place) }
}

extension NumberType {
    /// A made-up name, another one for each place.
    fileprivate static func name(_ place: Int) -> String {
        let number = number * 6 + place
        return HostileText.name(number, RandomSource(seed: UInt64(number)))
    }
}

/// A model under made-up names whose key the store makes and whose text has an index.
struct GeneratedTicket<Number: NumberType>: Stored, Equatable {
    var id: Int
    var text: String

    init(_ id: Int = 0, _ text: String) {
        self.id = id
        self.text = text
    }

    static var schema: Schema<GeneratedTicket<Number>> {
        GeneratedTickets.schema(Self.self) {
            Schema(
                name: Number.name(3),
                fields: [
                    .field(\.id, Number.name(4), primaryKey: .generated),
                    .field(
                        \.text,
                        Number.name(5),
                        index: Number.number % 2 == 0 ? .plain : .unique
                    ),
                ]
            )
        }
    }
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        text = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(text)
    }
}

/// The schemas of `GeneratedTicket` models, each made once: a generic type has no stored static property.
private enum GeneratedTickets {
    private static let made = Mutex<[ObjectIdentifier: any Sendable]>([:])

    static func schema<Model: Stored>(
        _ model: Model.Type,
        _ make: () -> Schema<Model>
    ) -> Schema<Model> {
        made.withLock { made in
            if let schema = made[ObjectIdentifier(model)] as? Schema<Model> { return schema }
            let schema = make()
            made[ObjectIdentifier(model)] = schema
            return schema
        }
    }
}

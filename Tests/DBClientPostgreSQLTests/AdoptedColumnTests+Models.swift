import DBClientCore
import DBClientSQL
import Foundation
import Synchronization

extension AdoptedColumnTests {
    /// A row of one field that is tested, beside its key.
    struct Entry<Value: StorableValue & Equatable>: Stored, Equatable {
        let id: Int
        var value: Value

        static var schema: Schema<Entry<Value>> { Schemas.schema(of: Value.self) }
        var primaryKey: Int { id }

        init(id: Int, value: Value) {
            self.id = id
            self.value = value
        }

        init(row: inout RowReader) throws {
            id = try row.read()
            value = try row.read()
        }

        func write(to row: inout RowWriter) throws {
            try row.write(id)
            try row.write(value)
        }
    }

    /// One schema for each type of value: a generic type has no static property of its own.
    enum Schemas {
        private static let made = Mutex<[ObjectIdentifier: any Sendable]>([:])

        static func schema<Value>(of value: Value.Type) -> Schema<Entry<Value>> {
            made.withLock { made in
                let key = ObjectIdentifier(value)
                if let schema = made[key] as? Schema<Entry<Value>> { return schema }
                let schema = Schema<Entry<Value>>(
                    name: "Entry",
                    fields: [
                        .field(\.id, "id", primaryKey: .given), .field(\.value, "value"),
                    ]
                )
                made[key] = schema
                return schema
            }
        }
    }

    @Stored
    struct Named: Equatable {
        @PrimaryKey let name: String
        var number: Int
    }

    @Stored
    struct Numbered: Equatable {
        @PrimaryKey(.generated) var id: Int = 0
        var name: String
    }

    @Stored
    struct Maker: Equatable {
        @PrimaryKey let id: String
        var city: String
    }

    @Stored
    struct Car: Equatable {
        @PrimaryKey let id: Int
        var maker: Reference<Maker>
    }

    @Stored
    struct Moment: Equatable {
        @PrimaryKey let at: Date
        var price: Decimal
    }
}

import DBClientCore
import Synchronization

/// The schemas of `Loose` models, each made once: a generic type has no stored static property.
enum LooseSchemas {
    private static let made = Mutex<[ObjectIdentifier: any Sendable]>([:])

    static func schema<Shape: LooseShape>(for shape: Shape.Type) -> Schema<Loose<Shape>> {
        made.withLock { made in
            if let schema = made[ObjectIdentifier(shape)] as? Schema<Loose<Shape>> {
                return schema
            }
            let schema = Schema<Loose<Shape>>(
                name: Shape.entity,
                fields: Shape.fields(),
                indexes: Shape.indexes()
            )
            made[ObjectIdentifier(shape)] = schema
            return schema
        }
    }
}

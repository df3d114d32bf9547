import DBClientCore

/// Something that a backend may be unable to do, and then says so.
///
/// Everything else is required of every backend.
public enum Capability: String, CaseIterable, Sendable {
    /// Written values are still stored when the store is opened again.
    case persistence
    /// Two clients may have one store open.
    case severalClients
    /// A reader does not hold up the writer.
    case concurrentReads
    /// A snapshot that stays while it is held, across calls.
    case heldSnapshots
    /// Rows are written past the models, as another program would damage a store.
    case rowWrites
    /// `*` and `?` in text that is looked for.
    case wildcards
    /// Looking for an element in a stored list.
    case listElements
    /// Savepoints: a write inside a write, undone by itself when it throws.
    case savepoints
    /// Primary keys that the store makes for values inserted without one.
    case generatedKeys
    /// Fields and indexes that refuse a second equal value.
    case uniqueIndexes
    /// Minimum, maximum, sum, average and distinct values.
    case aggregates
    /// Observation: observers are told of changes.
    case observation
    /// Stored values that are adapted to a model, converted or taken away.
    case migrations
    /// The store tells its entities to a program that has no models.
    case catalogs
}

extension Capability {
    /// The call that a backend without the capability refuses with `.unsupported`; nil where the
    /// capability is a property of the store and not a call.
    var refusedCall: (@Sendable (any DBClient) throws -> Void)? {
        switch self {
        case .persistence, .severalClients, .concurrentReads, .heldSnapshots, .rowWrites: nil
        case .wildcards:
            { client in
                try client.readBlocking { _ = try $0.fetch(Hero.where { $0.name.isLike("*") }) }
            }
        case .listElements:
            { client in
                try client.readBlocking {
                    _ = try $0.fetch(EveryType.where { $0.tags.contains("a") })
                }
            }
        case .savepoints:
            { client in try client.writeBlocking { try $0.write { _ in } } }
        case .generatedKeys:
            { client in try client.writeBlocking { _ = try $0.insert(Ticket(title: "a")) } }
        case .uniqueIndexes:
            { client in try client.writeBlocking { _ = try $0.insert(Account(1)) } }
        case .aggregates:
            { client in try client.readBlocking { _ = try $0.max(\.id, of: Hero.all) } }
        case .observation:
            { client in try client.observation.validate() }
        case .migrations:
            { client in _ = try client.blocking.migrate(to: Hero.self) }
        case .catalogs:
            { client in try client.readBlocking { _ = try EntityCatalog(storedIn: $0) } }
        }
    }
}

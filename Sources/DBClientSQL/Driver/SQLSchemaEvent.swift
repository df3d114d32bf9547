public import DBClientCore

/// What becomes of tables, for a driver that must do something beside.
public enum SQLSchemaEvent {
    /// A migration changes tables next: while it waits for their locks, it must not keep later transactions waiting
    /// for long.
    case willAlter
    /// A table is dropped next, perhaps to be created again in the transaction.
    case willDrop(table: String)
    /// A table was created: it is to have what the dropped one of its name had, such as triggers.
    case didCreate(table: String, EntitySchema)
    /// A migration has left out the indexes that a table lacks: they are to be built after the open transaction is
    /// committed, concurrently with reads and writes.
    case didLeaveOutIndexes(EntitySchema)
}

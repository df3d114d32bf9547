#if Observability
/// The database that a client is one of.
struct Database: Sendable {
    let system: String
    let namespace: String?
}
#endif

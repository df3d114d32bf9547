/// How a transaction is to go after what the attempt before it came to.
struct TransactionPlan {
    /// Whether each call is wrapped in a savepoint.
    var isCareful = false
    /// The violations that the last attempt met.
    var known = Violations()
    /// Whether the tables were described again after the attempt before.
    var hasReread = false
    /// Whether the transaction is serializable, whatever the configuration says.
    var isSerializable = false
    /// The tables that are locked before anything is read.
    var locks: [String] = []
}

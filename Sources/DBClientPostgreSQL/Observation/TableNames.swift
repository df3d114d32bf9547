import DBClientCore
import DBClientSQL
import Synchronization

/// The names by which the clients of one store in this process use its tables: a model may name a table with its schema
/// or without, and observers of either name are told what is written under the other.
final class TableNames: Sendable {
    private struct State {
        /// Where the table of a name is.
        var places: [String: String] = [:]
        /// The names of the table that is at a place.
        var names: [String: Set<String>] = [:]
        /// Where the rows of a view come from, by its name.
        var sources: [String: ViewSources] = [:]
        /// The names of the views whose rows come from the table that is at a place.
        var views: [String: Set<String>] = [:]
        /// The views whose sources have become known and were not asked for since.
        var newViews: Set<String> = []
    }

    private let state = Mutex(State())
    private let hasSeveral = Atomic(false)

    private init() {}

    /// Whether any table has had more than one name, or was read through a view.
    var haveSeveral: Bool { hasSeveral.load(ordering: .relaxed) }

    /// Notes where a table is that goes by a name.
    func note(_ name: String, at place: String) {
        state.withLock { state in
            let former = state.places.updateValue(place, forKey: name)
            if former == place { return }
            if let former { state.names[former]?.remove(name) }
            state.names[place, default: []].insert(name)
            if state.names[place]?.count ?? 0 > 1 { hasSeveral.store(true, ordering: .relaxed) }
        }
    }

    /// Notes where the rows of a view come from that goes by a name.
    func note(_ sources: ViewSources, of name: String) {
        state.withLock { state in
            let former = state.sources.updateValue(sources, forKey: name)
            if former == sources { return }
            for place in former?.tables ?? [] { state.views[place]?.remove(name) }
            for place in sources.tables { state.views[place, default: []].insert(name) }
            state.newViews.insert(name)
            hasSeveral.store(true, ordering: .relaxed)
        }
    }

    /// Returns the views whose sources have become known since the last call: what was written before was not told as
    /// written to them.
    func takeNewViews() -> Set<String> {
        if !haveSeveral { return [] }
        return state.withLock { state in
            defer { state.newViews = [] }
            return state.newViews
        }
    }

    /// The views whose rows no written table tells of, by their names.
    var silentViews: [String: ViewSources] {
        if !haveSeveral { return [:] }
        return state.withLock { $0.sources.filter { $0.value.isSilent } }
    }

    /// Returns the names of a table by one of them, and of the views whose rows come from it; of one that is used here
    /// under no name, those of the table at a place.
    func names(of name: String, orAt place: String) -> Set<String> {
        state.withLock { state in
            let place = state.places[name] ?? place
            return (state.names[place] ?? []).union(state.views[place] ?? [])
        }
    }

    private struct WeakNames {
        weak var names: TableNames?
    }

    private static let all = Mutex<[StoreIdentity: WeakNames]>([:])

    /// Returns the names of a store, which are those of its standbys as well.
    static func of(_ identity: StoreIdentity) -> TableNames {
        let identity = StoreIdentity(
            cluster: identity.cluster,
            isStandby: false,
            database: identity.database,
            schema: identity.schema,
            process: identity.process
        )
        return all.withLock { all in
            if let names = all[identity]?.names { return names }
            all = all.filter { $0.value.names != nil }
            let names = TableNames()
            all[identity] = WeakNames(names: names)
            return names
        }
    }
}

extension PostgreSQLConnection {
    /// Notes by what name a table is used, and where it is or will be.
    func note(_ table: String, at place: String) {
        names.note(table, at: place)
        // A name that the server reserves is that of a table with an underscore before it.
        let parts = dialect.parts(ofTable: table)
        guard parts.name.hasPrefix("_") else { return }
        let reserved = dialect.name(String(parts.name.dropFirst()), besideTable: table)
        if dialect.tableName(of: reserved) == table { names.note(reserved, at: place) }
    }

    /// Where a table is: its schema, a dot, and its name.
    func place(of table: FoundTable) -> String {
        "\(table.schema).\(dialect.parts(ofTable: table.name).name)"
    }

    /// Where a table is as far as its name says it: in the schema of the client where it names none.
    func place(of table: String) -> String {
        let parts = dialect.parts(ofTable: table)
        return "\(parts.schema ?? store.schema).\(parts.name)"
    }

    /// Returns the names by which observers here may know the table that a journal has noted under a name.
    func names(ofNoted entity: String) -> Set<String> {
        let table = dialect.tableName(of: entity)
        return names.names(of: table, orAt: place(of: table)).union([entity])
    }

    /// Returns the other names that any of these tables goes by.
    func otherNames(ofAny tables: Set<String>) -> Set<String> {
        guard names.haveSeveral else { return [] }
        var others: Set<String> = []
        for table in tables {
            others.formUnion(names.names(of: table, orAt: place(of: table)).subtracting([table]))
        }
        return others
    }
}

/// Returns a name as it is, of what the server has quoted where it had to.
///
/// By bytes: a quote may be one character with an accent after it.
func unquoted(_ name: String) -> String {
    let quote = UInt8(ascii: "\"")
    let bytes = Array(name.utf8)
    guard bytes.count > 1, bytes.first == quote else { return name }
    var result: [UInt8] = []
    var isSecond = false
    for byte in bytes.dropFirst().dropLast() {
        isSecond = byte == quote && !isSecond
        if !isSecond { result.append(byte) }
    }
    return String(decoding: result, as: UTF8.self)
}

import DBClientCore

/// A row's place in the order of a table: its key and the values of the sort, as text.
struct Place: Decodable {
    let k: [String?]
    var s: [String?]?
}

/// Which rows of an entity, in which order.
struct TableInput: Decodable {
    let entity: String
    /// A condition in the form of `dbclient query`; nil and blanks for all rows.
    var filter: String?
    /// Fields to sort by in the form of `dbclient query`; nil and blanks for the key.
    var sort: String?
}

/// A page of a table: after a row, before a row, or from a position on.
struct PageInput: Decodable {
    let table: TableInput
    var after: Place?
    var before: Place?
    var position: Int?
    /// The number of rows, if it is known: a position near the end is then counted from there.
    var total: Int?
    /// The number of rows of the page.
    var limit: Int?
}

/// A row of a table whose position is asked for.
struct PositionInput: Decodable {
    let table: TableInput
    let key: [String?]
}

/// A range of a table's rows to observe.
struct WindowInput: Decodable {
    let table: TableInput
    /// The row before the first one; nil for the beginning.
    var after: Place?
    let limit: Int
}

/// What is to be observed: one of the three.
struct ObserveInput: Decodable {
    /// The number of the stream that has the events.
    let stream: Int
    /// The number of the observation, by which its events are known and it is ended.
    let number: Int
    /// The rows of a range, in the order of the table's sort.
    var rows: WindowInput?
    /// The number of rows of a table.
    var total: TableInput?
    /// The numbers of rows of all entities.
    var counts: NoInput?
}

/// What is not to be observed any more.
struct ForgetInput: Decodable {
    let stream: Int
    let number: Int
}

/// A row by its key.
struct KeyInput: Decodable {
    let entity: String
    let key: [String?]
}

/// Values for some fields of a row.
struct UpdateInput: Decodable {
    let entity: String
    let key: [String?]
    let set: [String: String?]
    /// The values that the page has shown of these fields.
    let was: [String: String?]
}

/// A new row.
struct InsertInput: Decodable {
    let entity: String
    let values: [String: String?]
}

/// A row to be deleted.
struct DeleteInput: Decodable {
    let entity: String
    let key: [String?]
    /// Whether it may be a deletion that cannot be undone; nil for one that must be.
    var isFinal: Bool?
}

/// An edit to be undone.
struct UndoInput: Decodable {
    let edit: Int
}

import DBClientCore

/// A line with a group, of which some models have stored views and one has none.
protocol ViewedLine: Stored {
    init(id: Int, group: Int, amount: Int)
    var id: Int { get }
    var group: Int { get }
    var amount: Int { get }
}

extension ViewedLine {
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        self.init(id: try row.read(), group: try row.read(), amount: try row.read())
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(group)
        try row.write(amount)
    }
}

/// A line without views.
struct PlainLine: ViewedLine {
    let id: Int
    var group: Int
    var amount: Int

    static let schema = Schema<PlainLine>(
        name: "PlainLine",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.group, "group", index: .plain),
            .field(\.amount, "amount"),
        ]
    )
}

/// A line of which the sums by group are a view.
struct GroupedLine: ViewedLine {
    let id: Int
    var group: Int
    var amount: Int

    static let schema = Schema<GroupedLine>(
        name: "GroupedLine",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.group, "group", index: .plain),
            .field(\.amount, "amount"),
        ]
    )
    static let storedViews: [any StoredView.Type] = [GroupSum.self]
}

/// A line of which two fields are a view.
struct CopiedLine: ViewedLine {
    let id: Int
    var group: Int
    var amount: Int

    static let schema = Schema<CopiedLine>(
        name: "CopiedLine",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.group, "group", index: .plain),
            .field(\.amount, "amount"),
        ]
    )
    static let storedViews: [any StoredView.Type] = [LineAmount.self]
}

/// A line of which the sums by the group of its group are a view.
struct JoinedLine: ViewedLine {
    let id: Int
    var group: Int
    var amount: Int

    static let schema = Schema<JoinedLine>(
        name: "JoinedLine",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.group, "group", index: .plain),
            .field(\.amount, "amount"),
        ]
    )
    static let storedViews: [any StoredView.Type] = [RegionSum.self]
}

/// What a joined line belongs to: its `group` is a region, and `amount` a factor.
struct JoinedGroup: ViewedLine {
    let id: Int
    var group: Int
    var amount: Int

    static let schema = Schema<JoinedGroup>(
        name: "JoinedGroup",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.group, "group", index: .plain),
            .field(\.amount, "amount"),
        ]
    )
    static let storedViews: [any StoredView.Type] = [RegionSum.self]
}

/// A view of two numbers, of which the first is the key.
protocol PairView: StoredView {
    init(key: Int, value: Int)
    var key: Int { get }
    var value: Int { get }
}

/// What the numbers of a `PairView` are read from.
struct PairColumns<View: PairView>: SelectionColumns {
    let selected: SelectedRow<View>

    init(key: some SelectionTerm<Int>, value: some SelectionTerm<Int>) {
        let (key, value) = (key.selectedColumn, value.selectedColumn)
        selected = SelectedRow(key, value) { row in
            View(key: try row.next(key), value: try row.next(value))
        }
    }
}

extension PairView {
    var primaryKey: Int { key }

    init(row: inout RowReader) throws {
        self.init(key: try row.read(), value: try row.read())
    }

    func write(to row: inout RowWriter) throws {
        try row.write(key)
        try row.write(value)
    }
}

/// What the lines of a group come to.
struct GroupSum: PairView {
    typealias Columns = PairColumns<GroupSum>

    let key: Int
    let value: Int

    static let schema = Schema<GroupSum>(
        name: "GroupSum",
        fields: [.field(\.key, "key", primaryKey: .given), .field(\.value, "value")]
    )
    static var definition: SelectRequest<GroupSum> {
        GroupedLine.all.grouped { $0.group }
            .select(into: GroupSum.self) { group, keys in
                .init(key: keys[0], value: group.sum(\.amount))
            }
    }
}

/// The amount of a line.
struct LineAmount: PairView {
    typealias Columns = PairColumns<LineAmount>

    let key: Int
    let value: Int

    static let schema = Schema<LineAmount>(
        name: "LineAmount",
        fields: [.field(\.key, "key", primaryKey: .given), .field(\.value, "value")]
    )
    static var definition: SelectRequest<LineAmount> {
        CopiedLine.all.select(into: LineAmount.self) { .init(key: $0.id, value: $0.amount) }
    }
}

/// What the lines of a region come to.
struct RegionSum: PairView {
    typealias Columns = PairColumns<RegionSum>

    let key: Int
    let value: Int

    static let schema = Schema<RegionSum>(
        name: "RegionSum",
        fields: [.field(\.key, "key", primaryKey: .given), .field(\.value, "value")]
    )
    static var definition: SelectRequest<RegionSum> {
        JoinedLine.join(JoinedGroup.self) { $0.group == $1.id }
            .grouped { line, group in group.group }
            .select(into: RegionSum.self) { lines, keys in
                .init(key: keys[0], value: lines.sum { line, group in line.amount })
            }
    }
}

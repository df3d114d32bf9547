import DBClientCore

/// A field as reports use it: rows are grouped by it, joined by it and put into windows by it.
///
/// What the oracle makes of it is of Swift's own values, by loops that share no code with the library.
protocol ReportField<Model>: Sendable {
    associatedtype Model: Stored
    associatedtype Value: StorableValue & OracleValue

    var name: String { get }
    var path: any KeyPath<Model, Value> & Sendable { get }

    /// Returns the functions over the field of each group, as text.
    func functions<Key: ColumnValue>(
        of groups: GroupRequest<Model, Key>
    ) -> SelectRequest<(key: Key, values: String)>
    /// Returns the same of the values of a group.
    func functions(of group: [Model]) throws -> String

    /// Returns the functions over the field of each group and total, as text.
    func totals<First: ColumnValue, Second: ColumnValue>(
        of groups: RollupRequest<Model, First, Second>
    ) -> SelectRequest<(key: (First?, Second?), values: String)>
    /// Returns the same of the values of a group.
    func totals(of group: [Model]) throws -> String

    /// Returns the condition that one field of joined rows is less than another; nil where the field has no order.
    func isLess<Rows: StoredConvertible>(
        _ left: Field<Rows, Value>,
        _ right: Field<Rows, Value>
    ) -> Condition<Rows>?

    /// Returns what rows get from a window over the field, as text; nil where no function is over it.
    func windowed(
        _ request: FetchRequest<Model>,
        _ window: @escaping @Sendable (Fields<Model>) -> Window<Model>
    ) -> SelectRequest<String>?
    /// Returns the same of the values of the window and the position of one of them.
    func windowed(_ values: [Model], at position: Int) -> String
}

extension ReportField {
    func value(_ model: Model) -> Value { model[keyPath: path] }

    func areEqual(_ left: Model, _ right: Model) -> Bool {
        Value.order(value(left), value(right)) == 0
    }

    /// How many different values there are, absent ones left out.
    func distinctCount(of group: [Model]) -> Int {
        var values: [Value] = []
        for value in group.map(value) where !value.isAbsent {
            if !values.contains(where: { Value.order($0, value) == 0 }) { values.append(value) }
        }
        return values.count
    }

    func functions<Key: ColumnValue>(
        of groups: GroupRequest<Model, Key>
    ) -> SelectRequest<(key: Key, values: String)> {
        groups.select(.count, .countDistinct(path))
            .map { (key: $0.key, values: "\($0.values.0) \($0.values.1)") }
    }

    func functions(of group: [Model]) throws -> String {
        "\(group.count) \(distinctCount(of: group))"
    }

    func totals<First: ColumnValue, Second: ColumnValue>(
        of groups: RollupRequest<Model, First, Second>
    ) -> SelectRequest<(key: (First?, Second?), values: String)> {
        groups.select(.count, .countDistinct(path))
            .map { (key: $0.key, values: "\($0.values.0) \($0.values.1)") }
    }

    func totals(of group: [Model]) throws -> String {
        "\(group.count) \(distinctCount(of: group))"
    }

    func isLess<Rows: StoredConvertible>(
        _ left: Field<Rows, Value>,
        _ right: Field<Rows, Value>
    ) -> Condition<Rows>? { nil }

    func windowed(
        _ request: FetchRequest<Model>,
        _ window: @escaping @Sendable (Fields<Model>) -> Window<Model>
    ) -> SelectRequest<String>? { nil }

    func windowed(_ values: [Model], at position: Int) -> String { "" }
}

/// A field that is told apart and sorted, and nothing else.
struct PlainReportField<Model: Stored, Value: StorableValue & OracleValue>: ReportField {
    let name: String
    let path: any KeyPath<Model, Value> & Sendable
}

/// A field with a smallest and a largest value.
struct OrderedReportField<Model: Stored, Value: StorableValue & Comparable & OracleValue>:
    ReportField
{
    let name: String
    let path: any KeyPath<Model, Value> & Sendable

    func functions<Key: ColumnValue>(
        of groups: GroupRequest<Model, Key>
    ) -> SelectRequest<(key: Key, values: String)> {
        groups.select(.min(path), .max(path), .countDistinct(path)).map {
            (
                key: $0.key,
                values: "\($0.values.0.shown) \($0.values.1.shown) \($0.values.2)"
            )
        }
    }

    func functions(of group: [Model]) throws -> String {
        let sorted = group.map(value).sorted { Value.order($0, $1) < 0 }
        return "\(sorted.first.shown) \(sorted.last.shown) \(distinctCount(of: group))"
    }

    func isLess<Rows: StoredConvertible>(
        _ left: Field<Rows, Value>,
        _ right: Field<Rows, Value>
    ) -> Condition<Rows>? { left < right }
}

/// An optional field, whose absent values functions leave out.
struct OptionalReportField<Model: Stored, Wrapped: StorableValue & Comparable & OracleValue>:
    ReportField
{
    let name: String
    let path: any KeyPath<Model, Wrapped?> & Sendable

    func functions<Key: ColumnValue>(
        of groups: GroupRequest<Model, Key>
    ) -> SelectRequest<(key: Key, values: String)> {
        groups.select(.min(path), .max(path), .count).map {
            (
                key: $0.key,
                values: "\($0.values.0.shown) \($0.values.1.shown) \($0.values.2)"
            )
        }
    }

    func functions(of group: [Model]) throws -> String {
        let sorted = group.compactMap(value).sorted { Wrapped.order($0, $1) < 0 }
        return "\(sorted.first.shown) \(sorted.last.shown) \(group.count)"
    }

    func isLess<Rows: StoredConvertible>(
        _ left: Field<Rows, Wrapped?>,
        _ right: Field<Rows, Wrapped?>
    ) -> Condition<Rows>? { left < right }
}

/// A field that windows look at in the rows before and after.
struct WindowedReportField<
    Model: Stored,
    Value: ExpressionValue & Comparable & OracleValue
>: ReportField where Value.Present == Value {
    let name: String
    let path: any KeyPath<Model, Value> & Sendable

    private var ordered: OrderedReportField<Model, Value> {
        OrderedReportField(name: name, path: path)
    }

    func functions<Key: ColumnValue>(
        of groups: GroupRequest<Model, Key>
    ) -> SelectRequest<(key: Key, values: String)> { ordered.functions(of: groups) }

    func functions(of group: [Model]) throws -> String { try ordered.functions(of: group) }

    func isLess<Rows: StoredConvertible>(
        _ left: Field<Rows, Value>,
        _ right: Field<Rows, Value>
    ) -> Condition<Rows>? { left < right }

    func windowed(
        _ request: FetchRequest<Model>,
        _ window: @escaping @Sendable (Fields<Model>) -> Window<Model>
    ) -> SelectRequest<String>? {
        request.select { fields in
            let (window, field) = (window(fields), fields[dynamicMember: path])
            return (
                window.lag(field), window.lead(field, by: 2), window.first(field),
                window.last(field), window.min(field), window.max(field)
            )
        }
        .map {
            "\($0.0.shown) \($0.1.shown) \($0.2.shown) \($0.3.shown) \($0.4.shown) \($0.5.shown)"
        }
    }

    func windowed(_ values: [Model], at position: Int) -> String {
        func value(at position: Int) -> Value? {
            values.indices.contains(position) ? self.value(values[position]) : nil
        }
        let sorted = values[...position].map(self.value).sorted { Value.order($0, $1) < 0 }
        let found = [
            value(at: position - 1), value(at: position + 2), value(at: 0),
            value(at: values.count - 1), sorted.first, sorted.last,
        ]
        return found.map(\.shown).joined(separator: " ")
    }
}

/// A field of integers, which are added up, each sum in the range of their type.
struct IntegerReportField<
    Model: Stored,
    Value: FixedWidthInteger & ExpressionValue & OracleValue
>: ReportField where Value.Present == Value {
    let name: String
    let path: any KeyPath<Model, Value> & Sendable

    func functions<Key: ColumnValue>(
        of groups: GroupRequest<Model, Key>
    ) -> SelectRequest<(key: Key, values: String)> {
        groups.select(.sum(path), .average(path), .count).map {
            (key: $0.key, values: "\($0.values.0) \($0.values.1 != nil) \($0.values.2)")
        }
    }

    func functions(of group: [Model]) throws -> String {
        let sum = group.reduce(Int128(0)) { $0 + Int128(value($1)) }
        guard let value = Value(exactly: sum), Int64(exactly: sum) != nil else {
            throw OracleError(.invalidValue)
        }
        return "\(value) true \(group.count)"
    }

    func totals<First: ColumnValue, Second: ColumnValue>(
        of groups: RollupRequest<Model, First, Second>
    ) -> SelectRequest<(key: (First?, Second?), values: String)> {
        groups.select(.sum(path), .average(path), .count)
            .map { (key: $0.key, values: "\($0.values.0) \($0.values.1 != nil) \($0.values.2)") }
    }

    func totals(of group: [Model]) throws -> String { try functions(of: group) }

    func isLess<Rows: StoredConvertible>(
        _ left: Field<Rows, Value>,
        _ right: Field<Rows, Value>
    ) -> Condition<Rows>? { left < right }

    func windowed(
        _ request: FetchRequest<Model>,
        _ window: @escaping @Sendable (Fields<Model>) -> Window<Model>
    ) -> SelectRequest<String>? {
        WindowedReportField(name: name, path: path).windowed(request, window)
    }

    func windowed(_ values: [Model], at position: Int) -> String {
        WindowedReportField(name: name, path: path).windowed(values, at: position)
    }
}

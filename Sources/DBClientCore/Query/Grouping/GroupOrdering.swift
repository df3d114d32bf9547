/// One key of a sort of groups: a function of each group, or one of the keys that groups are formed by.
public struct GroupOrdering<Model: Stored>: GroupSortTerm {
    let row: Result<GroupWindow.Ordering, DBClientError>

    init(_ key: Result<GroupWindow.SortKey, DBClientError>, isDescending: Bool = false) {
        row = key.map { .init($0, isDescending: isDescending, nilsFirst: !isDescending) }
    }

    private init(_ other: Self, nilsFirst: Bool) {
        row = other.row.map {
            .init($0.key, isDescending: $0.isDescending, nilsFirst: nilsFirst)
        }
    }

    /// The ordering itself, which needs no conversion.
    public var groupOrdering: GroupOrdering<Model> { self }

    /// The same key, smallest first; absent values come first.
    public var ascending: Self { Self(row.map(\.key)) }

    /// The same key, largest first; absent values come last.
    public var descending: Self { Self(row.map(\.key), isDescending: true) }

    /// The same key with absent values before all others.
    public var nilsFirst: Self { Self(self, nilsFirst: true) }

    /// The same key with absent values after all others.
    public var nilsLast: Self { Self(self, nilsFirst: false) }
}

/// A term of a sort of groups: a function or a key, which sort ascending, or a ``GroupOrdering``.
public protocol GroupSortTerm<Model>: Sendable {
    /// The model whose values are grouped.
    associatedtype Model: Stored
    /// The term as one key of a sort.
    var groupOrdering: GroupOrdering<Model> { get }
}

extension GroupTerm: GroupSortTerm {
    /// Smallest first; absent values come first.
    public var groupOrdering: GroupOrdering<Model> { ascending }

    /// Smallest first; absent values come first.
    public var ascending: GroupOrdering<Model> { GroupOrdering(row.map { .term($0) }) }

    /// Largest first; absent values come last.
    public var descending: GroupOrdering<Model> {
        GroupOrdering(row.map { .term($0) }, isDescending: true)
    }

    /// Smallest first, absent values before all others.
    public var nilsFirst: GroupOrdering<Model> { ascending.nilsFirst }

    /// Smallest first, absent values after all others.
    public var nilsLast: GroupOrdering<Model> { ascending.nilsLast }
}

/// The keys that groups are formed by, as terms of their sort: `keys[0].descending`.
public struct GroupKeys<Model: Stored>: Sendable {
    private let count: Int

    init(_ keys: Result<[RowGrouping.Key], DBClientError>) {
        count = (try? keys.get().count) ?? 0
    }

    /// A key by its position, from 0 on.
    ///
    /// A request that is sorted by a position that no key has throws `.invalidRequest`.
    public subscript(position: Int) -> GroupOrdering<Model> {
        if (0..<count).contains(position) { return GroupOrdering(.success(.key(position))) }
        return GroupOrdering(
            .failure(.noKey(at: position, of: count, Model.schema.entity))
        )
    }
}

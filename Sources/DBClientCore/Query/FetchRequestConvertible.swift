/// Anything that stands for a request: a custom query is accepted wherever a request is.
///
/// ```swift
/// enum CharacterQuery: FetchRequestConvertible {
///     case alignment(String)
///
///     var request: FetchRequest<Character> {
///         switch self {
///         case .alignment(let name): Character.where { $0.alignment == name }.sorted { $0.name }
///         }
///     }
/// }
/// ```
///
/// A query may take parameters, and build on another: `filter`, `sorted`, `limit` and the like refine it like
/// a request. One that refuses its parameters has ``FetchRequest/init(failing:)``.
public protocol FetchRequestConvertible<Model>: Sendable {
    /// The model whose values are requested.
    associatedtype Model: StoredConvertible
    /// The request that the value stands for.
    var request: FetchRequest<Model> { get }
}

extension FetchRequest: FetchRequestConvertible {
    /// The request itself, which needs no conversion.
    public var request: FetchRequest<Model> { self }

    /// Creates a request that cannot be answered: the call that uses it throws the error.
    public init(failing error: DBClientError) {
        self.init()
        note(error)
    }
}

// The closure's result tells `sorted` of one term from `sorted` of a list at every call site.
// swift-format-ignore: AmbiguousTrailingClosureOverload
extension FetchRequestConvertible {
    /// Returns a request for the values that also fulfil a condition.
    public func filter(
        _ condition: (Fields<Model>) -> Condition<Model>
    ) -> FetchRequest<Model> {
        request.filter(condition)
    }

    /// Returns a request for the values that also fulfil a condition.
    public func filter(_ condition: Condition<Model>) -> FetchRequest<Model> {
        request.filter(condition)
    }

    /// Returns the request with a sort in place of the present one.
    public func sorted(
        _ terms: (Fields<Model>) -> [any SortTerm<Model>]
    ) -> FetchRequest<Model> {
        request.sorted(terms)
    }

    /// Returns the request with a sort in place of the present one.
    public func sorted<Term: SortTerm<Model>>(
        _ term: (Fields<Model>) -> Term
    ) -> FetchRequest<Model> {
        request.sorted(term)
    }

    /// Returns the request with at most this many values; nil for all.
    public func limit(_ limit: Int?) -> FetchRequest<Model> {
        request.limit(limit)
    }

    /// Returns a request for the values that come after a value in the order of this one.
    public func after(_ model: Model) -> FetchRequest<Model> {
        request.after(model)
    }

    /// Returns a request for the values that come after a primary key.
    public func after(key: Model.PrimaryKey) -> FetchRequest<Model> {
        request.after(key: key)
    }

    /// Returns the request without its first values.
    public func offset(_ offset: Int) -> FetchRequest<Model> {
        request.offset(offset)
    }

    /// Returns the request for one page of the values.
    ///
    /// A far page costs as much as reading the values that it skips; ``FetchRequest/after(_:)`` continues
    /// through an index instead.
    ///
    /// - Parameters:
    ///   - number: The number of the page, counted from one.
    ///   - size: The number of values of a page.
    /// - Returns: The request, in place of any limit and offset.
    public func page(_ number: Int, size: Int) -> FetchRequest<Model> {
        let (offset, overflows) = (number &- 1).multipliedReportingOverflow(by: size)
        guard number > 0, size >= 0, !overflows else {
            return FetchRequest(
                failing: DBClientError(
                    .invalidRequest,
                    "The number of a page must be at least 1, its size not negative, and both within Int;"
                        + " got \(number) and \(size).",
                    entity: Model.Storage.schema.entity.name
                )
            )
        }
        return request.offset(offset).limit(size)
    }
}

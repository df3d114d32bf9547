// How joins of more than two models are made: as those of two.

extension JoinRequest {
    /// Returns the request with the values of one more model that belong to the rows.
    public func join<A, B, Other: StoredConvertible>(
        _ other: Other.Type,
        on condition: (Joined3<A, B, Other>.Fields) -> Condition<Joined3<A, B, Other>>
    ) -> JoinRequest<Joined3<A, B, Other>> where Rows == Joined2<A, B> {
        adding(Other.all, isOptional: false, condition)
    }

    /// Returns the request with those values of a request for one more model that belong to the rows.
    public func join<A, B, Other: StoredConvertible>(
        _ other: FetchRequest<Other>,
        on condition: (Joined3<A, B, Other>.Fields) -> Condition<Joined3<A, B, Other>>
    ) -> JoinRequest<Joined3<A, B, Other>> where Rows == Joined2<A, B> {
        adding(other, isOptional: false, condition)
    }

    /// Returns the request with the values of one more model that belong to the rows, or with nil.
    public func leftJoin<A, B, Other: StoredConvertible>(
        _ other: Other.Type,
        on condition: (Joined3<A, B, Other?>.Fields) -> Condition<Joined3<A, B, Other?>>
    ) -> JoinRequest<Joined3<A, B, Other?>> where Rows == Joined2<A, B> {
        adding(Other.all, isOptional: true, condition)
    }

    /// Returns the request with those values of a request for one more model that belong to the rows, or with nil.
    public func leftJoin<A, B, Other: StoredConvertible>(
        _ other: FetchRequest<Other>,
        on condition: (Joined3<A, B, Other?>.Fields) -> Condition<Joined3<A, B, Other?>>
    ) -> JoinRequest<Joined3<A, B, Other?>> where Rows == Joined2<A, B> {
        adding(other, isOptional: true, condition)
    }
}

extension JoinRequest {
    /// Returns the request with the values of one more model that belong to the rows.
    public func join<A, B, C, Other: StoredConvertible>(
        _ other: Other.Type,
        on condition: (Joined4<A, B, C, Other>.Fields) -> Condition<Joined4<A, B, C, Other>>
    ) -> JoinRequest<Joined4<A, B, C, Other>> where Rows == Joined3<A, B, C> {
        adding(Other.all, isOptional: false, condition)
    }

    /// Returns the request with those values of a request for one more model that belong to the rows.
    public func join<A, B, C, Other: StoredConvertible>(
        _ other: FetchRequest<Other>,
        on condition: (Joined4<A, B, C, Other>.Fields) -> Condition<Joined4<A, B, C, Other>>
    ) -> JoinRequest<Joined4<A, B, C, Other>> where Rows == Joined3<A, B, C> {
        adding(other, isOptional: false, condition)
    }

    /// Returns the request with the values of one more model that belong to the rows, or with nil.
    public func leftJoin<A, B, C, Other: StoredConvertible>(
        _ other: Other.Type,
        on condition: (Joined4<A, B, C, Other?>.Fields) -> Condition<Joined4<A, B, C, Other?>>
    ) -> JoinRequest<Joined4<A, B, C, Other?>> where Rows == Joined3<A, B, C> {
        adding(Other.all, isOptional: true, condition)
    }

    /// Returns the request with those values of a request for one more model that belong to the rows, or with nil.
    public func leftJoin<A, B, C, Other: StoredConvertible>(
        _ other: FetchRequest<Other>,
        on condition: (Joined4<A, B, C, Other?>.Fields) -> Condition<Joined4<A, B, C, Other?>>
    ) -> JoinRequest<Joined4<A, B, C, Other?>> where Rows == Joined3<A, B, C> {
        adding(other, isOptional: true, condition)
    }
}

extension JoinRequest {
    /// Returns the request with the values of one more model that belong to the rows.
    public func join<A, B, C, D, Other: StoredConvertible>(
        _ other: Other.Type,
        on condition: (Joined5<A, B, C, D, Other>.Fields) -> Condition<Joined5<A, B, C, D, Other>>
    ) -> JoinRequest<Joined5<A, B, C, D, Other>> where Rows == Joined4<A, B, C, D> {
        adding(Other.all, isOptional: false, condition)
    }

    /// Returns the request with those values of a request for one more model that belong to the rows.
    public func join<A, B, C, D, Other: StoredConvertible>(
        _ other: FetchRequest<Other>,
        on condition: (Joined5<A, B, C, D, Other>.Fields) -> Condition<Joined5<A, B, C, D, Other>>
    ) -> JoinRequest<Joined5<A, B, C, D, Other>> where Rows == Joined4<A, B, C, D> {
        adding(other, isOptional: false, condition)
    }

    /// Returns the request with the values of one more model that belong to the rows, or with nil.
    public func leftJoin<A, B, C, D, Other: StoredConvertible>(
        _ other: Other.Type,
        on condition: (Joined5<A, B, C, D, Other?>.Fields) -> Condition<Joined5<A, B, C, D, Other?>>
    ) -> JoinRequest<Joined5<A, B, C, D, Other?>> where Rows == Joined4<A, B, C, D> {
        adding(Other.all, isOptional: true, condition)
    }

    /// Returns the request with those values of a request for one more model that belong to the rows, or with nil.
    public func leftJoin<A, B, C, D, Other: StoredConvertible>(
        _ other: FetchRequest<Other>,
        on condition: (Joined5<A, B, C, D, Other?>.Fields) -> Condition<Joined5<A, B, C, D, Other?>>
    ) -> JoinRequest<Joined5<A, B, C, D, Other?>> where Rows == Joined4<A, B, C, D> {
        adding(other, isOptional: true, condition)
    }
}

extension JoinRequest {
    /// Returns the request with the values of one more model that belong to the rows.
    public func join<A, B, C, D, E, Other: StoredConvertible>(
        _ other: Other.Type,
        on condition: (Joined6<A, B, C, D, E, Other>.Fields) -> Condition<
            Joined6<A, B, C, D, E, Other>
        >
    ) -> JoinRequest<Joined6<A, B, C, D, E, Other>> where Rows == Joined5<A, B, C, D, E> {
        adding(Other.all, isOptional: false, condition)
    }

    /// Returns the request with those values of a request for one more model that belong to the rows.
    public func join<A, B, C, D, E, Other: StoredConvertible>(
        _ other: FetchRequest<Other>,
        on condition: (Joined6<A, B, C, D, E, Other>.Fields) -> Condition<
            Joined6<A, B, C, D, E, Other>
        >
    ) -> JoinRequest<Joined6<A, B, C, D, E, Other>> where Rows == Joined5<A, B, C, D, E> {
        adding(other, isOptional: false, condition)
    }

    /// Returns the request with the values of one more model that belong to the rows, or with nil.
    public func leftJoin<A, B, C, D, E, Other: StoredConvertible>(
        _ other: Other.Type,
        on condition: (Joined6<A, B, C, D, E, Other?>.Fields) -> Condition<
            Joined6<A, B, C, D, E, Other?>
        >
    ) -> JoinRequest<Joined6<A, B, C, D, E, Other?>> where Rows == Joined5<A, B, C, D, E> {
        adding(Other.all, isOptional: true, condition)
    }

    /// Returns the request with those values of a request for one more model that belong to the rows, or with nil.
    public func leftJoin<A, B, C, D, E, Other: StoredConvertible>(
        _ other: FetchRequest<Other>,
        on condition: (Joined6<A, B, C, D, E, Other?>.Fields) -> Condition<
            Joined6<A, B, C, D, E, Other?>
        >
    ) -> JoinRequest<Joined6<A, B, C, D, E, Other?>> where Rows == Joined5<A, B, C, D, E> {
        adding(other, isOptional: true, condition)
    }
}

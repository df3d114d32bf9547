import DBClientCore

extension FieldAccess where Value: StorableValue & Comparable {
    /// Makers of conditions that compare the field by its order: less, greater and ranges.
    var comparisons: [Maker] {
        let (name, field, get, make) = (name, field, get, make)
        let less: Maker = { random in
            let value = make(random)
            return PairedCondition(
                "\(name) < \(value.shown)",
                { Value.order(get($0), value) < 0 },
                build: { field($0) < value }
            )
        }
        let atMost: Maker = { random in
            let value = make(random)
            return PairedCondition(
                "\(name) <= \(value.shown)",
                { Value.order(get($0), value) <= 0 },
                build: { field($0) <= value }
            )
        }
        let greater: Maker = { random in
            let value = make(random)
            return PairedCondition(
                "\(name) > \(value.shown)",
                { Value.order(get($0), value) > 0 },
                build: { field($0) > value }
            )
        }
        let atLeast: Maker = { random in
            let value = make(random)
            return PairedCondition(
                "\(name) >= \(value.shown)",
                { Value.order(get($0), value) >= 0 },
                build: { field($0) >= value }
            )
        }
        let between: Maker = { random in
            let (low, high, isClosed) = Value.range(random, make)
            return PairedCondition(
                "\(name) in \(low.shown)\(isClosed ? "..." : "..<")\(high.shown)",
                { Value.isBetween(get($0), low, high, isClosed) },
                build: {
                    isClosed
                        ? field($0).isBetween(low...high) : field($0).isBetween(low..<high)
                }
            )
        }
        return [less, atMost, greater, atLeast, between]
    }
}

extension FieldAccess {
    /// Less, greater and ranges of an optional field, whose absent values are never in them.
    func comparisons<Wrapped: StorableValue & Comparable & OracleValue>(
        _ make: @escaping @Sendable (RandomSource) -> Wrapped
    ) -> [@Sendable (RandomSource) -> PairedCondition<Model>] where Value == Wrapped? {
        let (name, field, get) = (name, field, get)
        @Sendable func present(
            _ test: @escaping @Sendable (Wrapped) -> Bool
        ) -> @Sendable (Model) -> Bool {
            { get($0).map(test) ?? false }
        }
        return [
            { random in
                let value = make(random)
                return PairedCondition(
                    "\(name) < \(value.shown)",
                    present { Wrapped.order($0, value) < 0 },
                    build: { field($0) < value }
                )
            },
            { random in
                let value = make(random)
                return PairedCondition(
                    "\(name) <= \(value.shown)",
                    present { Wrapped.order($0, value) <= 0 },
                    build: { field($0) <= value }
                )
            },
            { random in
                let value = make(random)
                return PairedCondition(
                    "\(name) > \(value.shown)",
                    present { Wrapped.order($0, value) > 0 },
                    build: { field($0) > value }
                )
            },
            { random in
                let value = make(random)
                return PairedCondition(
                    "\(name) >= \(value.shown)",
                    present { Wrapped.order($0, value) >= 0 },
                    build: { field($0) >= value }
                )
            },
            { random in
                let (low, high, isClosed) = Wrapped.range(random, make)
                return PairedCondition(
                    "\(name) in \(low.shown)\(isClosed ? "..." : "..<")\(high.shown)",
                    present { Wrapped.isBetween($0, low, high, isClosed) },
                    build: {
                        isClosed
                            ? field($0).isBetween(low...high) : field($0).isBetween(low..<high)
                    }
                )
            },
        ]
    }
}

extension OracleValue where Self: Comparable {
    /// Returns the ends of a range, which Swift wants in its own order: for text that is not the
    /// order of the bytes.
    fileprivate static func range(
        _ random: RandomSource,
        _ make: (RandomSource) -> Self
    ) -> (low: Self, high: Self, isClosed: Bool) {
        let (first, second) = (make(random), make(random))
        return (Swift.min(first, second), Swift.max(first, second), random.chance(50))
    }

    fileprivate static func isBetween(
        _ value: Self,
        _ low: Self,
        _ high: Self,
        _ isClosed: Bool
    ) -> Bool {
        order(value, low) >= 0 && (isClosed ? order(value, high) <= 0 : order(value, high) < 0)
    }
}

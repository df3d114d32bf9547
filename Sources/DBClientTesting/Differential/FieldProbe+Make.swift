import DBClientCore

extension FieldProbe {
    /// A field that is there for its own sake: kept, shown and set, but not asked for.
    static func kept<Value>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Value> & Sendable,
        show: @escaping @Sendable (Value) -> String,
        make: @escaping @Sendable (RandomSource) -> Value,
        assign: (@Sendable (inout Assignments<Model>, Value) -> Void)? = nil
    ) -> FieldProbe where Value: Sendable {
        var probe = FieldProbe(name: name, show: { show($0[keyPath: path]) })
        probe.fill = { model, random in model[keyPath: path] = make(random) }
        if let assign {
            probe.assignment = { random in
                let value = make(random)
                return PairedAssignment<Model>(
                    text: "\(name) = \(show(value))",
                    assign: { assign(&$0, value) },
                    change: { model, _ in model[keyPath: path] = value }
                )
            }
        }
        return probe
    }

    /// A field that is asked for equality, sorted, set and told apart.
    static func plain<Value: StorableValue & OracleValue>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Value> & Sendable,
        _ make: @escaping @Sendable (RandomSource) -> Value
    ) -> FieldProbe {
        let access = FieldAccess<Model, Value>(
            name: name,
            field: { $0[dynamicMember: path] },
            get: { $0[keyPath: path] },
            make: make
        )
        var probe = kept(name, path, show: \.shown, make: make)
        probe.assignment = { random in
            random.chance(30)
                ? .modify(name, path, below: make(random), to: make(random))
                : .set(name, path, to: make(random))
        }
        probe.conditions = access.equalities
        probe.ordering = access.ordering
        probe.functions = [
            .distinct(name, path), .selected(name, path), .grouped(name, path),
        ]
        probe.report = PlainReportField(name: name, path: path)
        return probe
    }

    /// A field that is compared as well.
    static func compared<Value: StorableValue & Comparable & Codable & OracleValue>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Value> & Sendable,
        _ make: @escaping @Sendable (RandomSource) -> Value
    ) -> FieldProbe {
        var probe = plain(name, path, make)
        let access = FieldAccess<Model, Value>(
            name: name,
            field: { $0[dynamicMember: path] },
            get: { $0[keyPath: path] },
            make: make
        )
        probe.conditions += access.comparisons + access.forms(path)
        probe.functions += [.minimum(name, path), .maximum(name, path)]
        probe.report = OrderedReportField(name: name, path: path)
        return probe
    }

    /// A field of integers, which are computed with as well.
    static func integer<Value: FixedWidthInteger & IntegerValue & AdditiveValue & Codable>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Value> & Sendable,
        _ make: @escaping @Sendable (RandomSource) -> Value
    ) -> FieldProbe where Value: OracleValue, Value.Present == Value {
        var probe = compared(name, path, make)
        probe.conditions +=
            FieldAccess<Model, Value>(
                name: name,
                field: { $0[dynamicMember: path] },
                get: { $0[keyPath: path] },
                make: make
            ).computations
        probe.addAssignment { .compute(name, path, $0) }
        probe.report = IntegerReportField(name: name, path: path)
        return probe
    }

    /// A field of doubles, which are computed with as well.
    static func double(
        _ name: String,
        _ path: any WritableKeyPath<Model, Double> & Sendable,
        _ make: @escaping @Sendable (RandomSource) -> Double
    ) -> FieldProbe {
        var probe = compared(name, path, make)
        probe.conditions +=
            FieldAccess<Model, Double>(
                name: name,
                field: { $0[dynamicMember: path] },
                get: { $0[keyPath: path] },
                make: make
            ).computations
        probe.report = WindowedReportField(name: name, path: path)
        return probe
    }

    /// An optional field that is compared as well.
    static func compared<Value: StorableValue & Comparable & OracleValue>(
        optional name: String,
        _ path: any WritableKeyPath<Model, Value?> & Sendable,
        _ make: @escaping @Sendable (RandomSource) -> Value
    ) -> FieldProbe {
        let optional: @Sendable (RandomSource) -> Value? = { $0.chance(30) ? make($0) : nil }
        var probe = plain(name, path) { $0.chance(70) ? make($0) : nil }
        probe.conditions += FieldAccess<Model, Value?>(
            name: name,
            field: { $0[dynamicMember: path] },
            get: { $0[keyPath: path] },
            make: optional
        ).comparisons(make)
        probe.functions += [.minimum(name, optional: path), .maximum(name, optional: path)]
        probe.report = OptionalReportField(name: name, path: path)
        return probe
    }

    /// Returns a probe of a field that holds text.
    static func text(
        _ name: String,
        _ path: any WritableKeyPath<Model, String> & Sendable,
        _ make: @escaping @Sendable (RandomSource) -> String = SampleValues.anyText
    ) -> FieldProbe {
        var probe = compared(name, path, SampleValues.text)
        let access = FieldAccess<Model, String>(
            name: name,
            field: { $0[dynamicMember: path] },
            get: { $0[keyPath: path] },
            make: make
        )
        probe.fill = { model, random in model[keyPath: path] = make(random) }
        probe.conditions += access.searches { $0 } + access.computations
        probe.addAssignment { _ in .lowercase(name, path) }
        probe.report = WindowedReportField(name: name, path: path)
        probe.ordering = { random in
            random.chance(20)
                ? access.computedOrdering(random) : access.textOrdering(random) { $0 }
        }
        return probe
    }

    /// Returns the probe of an optional field of text.
    static func text(
        optional name: String,
        _ path: any WritableKeyPath<Model, String?> & Sendable
    ) -> FieldProbe {
        var probe = compared(optional: name, path, SampleValues.text)
        let access = FieldAccess<Model, String?>(
            name: name,
            field: { $0[dynamicMember: path] },
            get: { $0[keyPath: path] },
            make: SampleValues.text
        )
        probe.conditions += access.searches { $0 }
        probe.ordering = { access.textOrdering($0) { $0 ?? "" } }
        return probe
    }

    /// A field of the primary key, which is compared and never set.
    static func key<Value: StorableValue & Comparable & Codable & OracleValue>(
        _ name: String,
        _ path: any KeyPath<Model, Value> & Sendable,
        _ make: @escaping @Sendable (RandomSource) -> Value
    ) -> FieldProbe {
        let access = FieldAccess<Model, Value>(
            name: name,
            field: { $0[dynamicMember: path] },
            get: { $0[keyPath: path] },
            make: make
        )
        var probe = FieldProbe(name: name, isKey: true, show: { $0[keyPath: path].shown })
        probe.conditions = access.equalities + access.comparisons + access.forms(path)
        probe.ordering = access.ordering
        probe.functions = [
            .distinct(name, path), .selected(name, path), .grouped(name, path),
            .minimum(name, path), .maximum(name, path),
        ]
        probe.report = OrderedReportField(name: name, path: path)
        return probe
    }

    /// The field of an embedded value, which is asked for and sorted.
    static func embedded<Value: StorableValue & OracleValue & TextValue & ExpressionValue>(
        _ name: String,
        get: @escaping @Sendable (Model) -> Value,
        text: @escaping @Sendable (Value) -> String?,
        make: @escaping @Sendable (RandomSource) -> Value,
        field: @escaping @Sendable (Fields<Model>) -> Field<Model, Value>
    ) -> FieldProbe {
        let access = FieldAccess<Model, Value>(name: name, field: field, get: get, make: make)
        var probe = FieldProbe(name: name, show: { get($0).shown })
        probe.conditions = access.equalities + access.searches(text)
        probe.ordering = { access.textOrdering($0) { text($0) ?? "" } }
        return probe
    }
}

extension PairedAssignment {
    fileprivate static func set<Value: StorableValue & OracleValue>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Value> & Sendable,
        to value: Value
    ) -> Self {
        Self(
            text: "\(name) = \(value.shown)",
            assign: { $0.set(path, to: value) },
            change: { model, _ in model[keyPath: path] = value }
        )
    }

    /// Makes what is less than a limit another value.
    fileprivate static func modify<Value: StorableValue & OracleValue>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Value> & Sendable,
        below limit: Value,
        to value: Value
    ) -> Self {
        Self(
            text: "\(name) = \(value.shown) where it is below \(limit.shown)",
            assign: {
                $0.modify(path) { if Value.order($0, limit) < 0 { $0 = value } }
            },
            change: { model, _ in
                if Value.order(model[keyPath: path], limit) < 0 { model[keyPath: path] = value }
            }
        )
    }
}

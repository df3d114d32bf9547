import DBClientCore

extension FieldAccess where Value: TextValue & ExpressionValue {
    /// Looking for text, with and without case, folded, and with wildcards.
    func searches(
        _ text: @escaping @Sendable (Value) -> String?
    ) -> [@Sendable (RandomSource) -> PairedCondition<Model>] {
        let (name, field, get) = (name, field, get)
        func search(
            _ word: String,
            _ find: @escaping @Sendable (OracleText.Bytes, OracleText.Bytes) -> Bool,
            build: @escaping @Sendable (Field<Model, Value>, String, Bool) -> Condition<Model>
        ) -> @Sendable (RandomSource) -> PairedCondition<Model> {
            { random in
                let needle = SampleValues.needle(random)
                let ignoresCase = random.chance(40)
                let bytes = OracleText.bytes(needle, ignoringCase: ignoresCase)
                return PairedCondition(
                    "\(name) \(word) \(needle.shown)\(ignoresCase ? " ignoring case" : "")",
                    { model in
                        guard let text = text(get(model)) else { return false }
                        return find(OracleText.bytes(text, ignoringCase: ignoresCase), bytes)
                    },
                    build: { build(field($0), needle, ignoresCase) }
                )
            }
        }
        return [
            search(
                "contains",
                { OracleText.contains($0, $1) },
                build: {
                    $0.contains($1, ignoringCase: $2)
                }
            ),
            search(
                "has prefix",
                { Array($0.prefix($1.count)) == $1 },
                build: {
                    $0.hasPrefix($1, ignoringCase: $2)
                }
            ),
            search(
                "has suffix",
                { Array($0.suffix($1.count)) == $1 },
                build: {
                    $0.hasSuffix($1, ignoringCase: $2)
                }
            ),
            { random in
                let other = SampleValues.text(random)
                let bytes = OracleText.bytes(other, ignoringCase: true)
                return PairedCondition(
                    "\(name) equals \(other.shown) ignoring case",
                    { text(get($0)).map { OracleText.bytes($0, ignoringCase: true) } == bytes },
                    build: { field($0).equalsIgnoringCase(other) }
                )
            },
            { random in
                let needle = SampleValues.needle(random)
                let bytes = OracleText.foldedBytes(needle)
                let match = TextFolding.Match.allCases[random.below(4)]
                return PairedCondition(
                    "\(name) folded \(match) \(needle.shown)",
                    {
                        text(get($0)).map { match.holds(OracleText.foldedBytes($0), bytes) }
                            ?? false
                    },
                    build: { fields in
                        let field = field(fields)
                        return switch match {
                        case .equals: field.equalsFolding(needle)
                        case .hasPrefix: field.hasPrefixFolding(needle)
                        case .hasSuffix: field.hasSuffixFolding(needle)
                        case .contains: field.containsFolding(needle)
                        }
                    }
                )
            },
            { random in
                let pattern = SampleValues.pattern(random)
                let ignoresCase = random.chance(40)
                return PairedCondition(
                    "\(name) like \(pattern.shown)\(ignoresCase ? " ignoring case" : "")",
                    { model in
                        text(get(model)).map {
                            OracleText.isLike($0, pattern, ignoringCase: ignoresCase)
                        } ?? false
                    },
                    build: { field($0).isLike(pattern, ignoringCase: ignoresCase) }
                )
            },
        ]
    }
}

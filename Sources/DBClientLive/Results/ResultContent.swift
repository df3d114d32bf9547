import DBClientCore

/// What a ``LiveResults`` shows: values, and the sections of whatever keys are asked for.
struct ResultContent<Model: StoredConvertible>: Sendable {
    let objects: ResultCollection<Model>
    /// The sections of ``objects``, whose type is known by the maker of the sections; nil if none were asked for.
    let sections: (any Sendable)?
}

/// How the sections of values are kept, whatever their keys are.
struct SectionKeeper<Model: StoredConvertible>: Sendable {
    /// Makes the sections of a first result.
    let make: @Sendable (ResultCollection<Model>) -> any Sendable
    /// Makes them of those before a change.
    let follow: @Sendable (any Sendable, ResultCollection<Model>, LiveChange) -> any Sendable
}

extension LiveFeed {
    /// Returns a feed of the values of a request, with their sections if a keeper is given.
    static func results<Model: StoredConvertible>(
        _ stream: ChangeStream<Model>,
        _ keeper: SectionKeeper<Model>?
    ) -> LiveFeed<ResultContent<Model>> where Content == ResultContent<Model> {
        LiveFeed(
            open: {
                var changes = stream.makeAsyncIterator()
                var sections: (any Sendable)?
                return LivePuller {
                    switch try await changes.next() {
                    case .initial(let objects):
                        sections = keeper?.make(objects)
                        return .initial(ResultContent(objects: objects, sections: sections))
                    case .update(let changes):
                        let change = LiveChange(changes)
                        if let before = sections {
                            sections = keeper?.follow(before, changes.objects, change)
                        }
                        let content = ResultContent(objects: changes.objects, sections: sections)
                        return .update(content, change)
                    case nil: return nil
                    }
                }
            },
            difference: { old, new in
                LiveChange(
                    from: old?.objects,
                    to: new.objects,
                    id: \.primaryKey,
                    isSame: { isEqual($0, $1) }
                )
            }
        )
    }
}

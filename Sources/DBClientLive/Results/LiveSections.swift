public import DBClientCore
public import Observation

/// The values of a request in sections, as a view shows them.
///
/// ```swift
/// let sections = client.live(Hero.all.sorted { $0.name }, sections: { $0.name.prefix(1) })
/// for section in sections { print(section.key, section.count) }
/// ```
///
/// A section is what has one key in a row, so sort the request by what makes the key: then there is one section for each
/// key. A commit costs its own rows and the number of sections, none of it on the main actor.
@MainActor
public final class LiveSections<Key: Hashable & Sendable, Model: StoredConvertible>: Observable {
    /// The values, with their request, state and last change.
    public let results: LiveResults<Model>

    init(_ results: LiveResults<Model>) {
        self.results = results
    }

    static func keeper(_ key: @escaping @Sendable (Model) -> Key) -> SectionKeeper<Model> {
        SectionKeeper(
            make: { SectionRuns($0, key) },
            follow: { before, objects, change in
                guard let before = before as? SectionRuns<Key> else {
                    return SectionRuns(objects, key)
                }
                return before.following(change) { key(objects[$0]) }
            }
        )
    }

    /// What is shown; another request takes its place (``LiveResults/request``).
    public var request: FetchRequest<Model> {
        get { results.request }
        set { results.request = newValue }
    }

    /// Whether what is shown is what the store has.
    public var state: LiveState { results.state }

    private var runs: SectionRuns<Key>? {
        results.core.contentSignal.access()
        return results.core.content?.sections as? SectionRuns<Key>
    }

    /// The position of the first section, always zero.
    public var startIndex: Int { 0 }

    /// The position after the last section, which is the number of sections; zero until the first result is there.
    public var endIndex: Int { runs?.count ?? 0 }

    /// The number of sections; zero until the first result is there.
    public var count: Int { endIndex }

    /// Whether there is no section; true until the first result is there.
    public var isEmpty: Bool { endIndex == 0 }

    /// The section at a position from zero; traps outside of the collection.
    public subscript(position: Int) -> LiveSection<Key, Model> {
        guard let runs, let objects = results.core.content?.objects, position < runs.count else {
            preconditionFailure("The position must be within the collection.")
        }
        return LiveSection(key: runs.keys[position], objects: objects, range: runs[position])
    }
}

#if compiler(>=6.2)
extension LiveSections: @MainActor RandomAccessCollection {}
#endif

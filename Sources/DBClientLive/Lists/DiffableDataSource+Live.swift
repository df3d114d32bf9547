#if canImport(UIKit) && !os(watchOS)
public import DBClientCore
public import UIKit
#elseif canImport(AppKit)
public import AppKit
public import DBClientCore
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
extension NSDiffableDataSourceSnapshot {
    /// Creates the snapshot of what a live object shows, in one section.
    @MainActor
    public init<Model: StoredConvertible>(
        _ live: LiveResults<Model>,
        section: SectionIdentifierType
    ) where ItemIdentifierType == Model.PrimaryKey {
        self.init()
        appendSections([section])
        appendItems(live.values.map(\.primaryKey), toSection: section)
    }

    /// Creates the snapshot of what a live object shows in sections.
    @MainActor
    public init<Model: StoredConvertible>(
        _ live: LiveSections<SectionIdentifierType, Model>
    ) where ItemIdentifierType == Model.PrimaryKey {
        self.init()
        for section in 0..<live.count {
            let section = live[section]
            appendSections([section.key])
            appendItems(section.map(\.primaryKey), toSection: section.key)
        }
    }

    /// Takes over the last change of a live object, in a snapshot of what it showed before.
    ///
    /// ```swift
    /// var snapshot = source.snapshot()
    /// snapshot.apply(heroes, section: .main, since: &shown)
    /// source.apply(snapshot)
    /// ```
    ///
    /// It costs what has changed. Where more than one change has come since, the snapshot is made anew.
    ///
    /// - Parameters:
    ///   - live: What is shown.
    ///   - section: The one section.
    ///   - revision: The revision of which the snapshot is, zero to begin with; set to the present one.
    @MainActor
    public mutating func apply<Model: StoredConvertible>(
        _ live: LiveResults<Model>,
        section: SectionIdentifierType,
        since revision: inout Int
    ) where ItemIdentifierType == Model.PrimaryKey {
        let change = revision == 0 ? nil : live.change(since: revision)
        revision = live.revision
        guard let change else {
            self = Self(live, section: section)
            return
        }
        let edits = ListEdits(change, from: live.previous, to: live.values, id: \.primaryKey)
        deleteItems(edits.deletions)
        for insertion in edits.insertions {
            if let after = insertion.after {
                insertItems(insertion.ids, afterItem: after)
            } else if let first = itemIdentifiers.first {
                insertItems(insertion.ids, beforeItem: first)
            } else {
                appendItems(insertion.ids, toSection: section)
            }
        }
        reloadItems(edits.changes)
    }
}
#endif

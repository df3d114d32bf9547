// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What DBClientLive uses of UIKit and AppKit, declared as they declare it, for systems that have neither. Nothing of it runs.

public struct NSDiffableDataSourceSnapshot<
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
>: Sendable {
    public init() {}
    public var numberOfItems: Int { 0 }
    public var itemIdentifiers: [ItemIdentifierType] { [] }
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType],
        toSection section: SectionIdentifierType? = nil
    ) {}
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType],
        beforeItem item: ItemIdentifierType
    ) {}
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType],
        afterItem item: ItemIdentifierType
    ) {}
    public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {}
    public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {}
}

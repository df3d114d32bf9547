import DBClientTesting

/// What a `FaultyClient` does wrong.
enum Fault: String, CaseIterable {
    case countsOneTooMany
    case ignoresConditions
    case ignoresSorts
    case ignoresOffsets
    case insertsOverExisting
    case deletesNothing
    case updatesNothing
    case upsertsAlwaysInsert
    case assignsEverything
    case keepsUndoneSavepoints
    case findsNoThirdKey
    case sumsTwice
    case repeatsDistinct
    case selectsBackwards
    case dropsFirstGroup
    case composesText
    case takesWildcards

    /// Where the suite is expected to notice.
    var concerns: Set<ConformanceConcern> {
        switch self {
        case .countsOneTooMany, .insertsOverExisting, .deletesNothing, .updatesNothing,
            .upsertsAlwaysInsert, .assignsEverything, .findsNoThirdKey, .sumsTwice,
            .repeatsDistinct:
            [.crud]
        case .ignoresConditions: [.conditions]
        case .ignoresSorts: [.ordering]
        case .ignoresOffsets: [.paging]
        case .keepsUndoneSavepoints: [.savepoints]
        case .selectsBackwards: [.select]
        case .dropsFirstGroup: [.grouping]
        case .composesText, .takesWildcards: [.hostileText]
        }
    }
}

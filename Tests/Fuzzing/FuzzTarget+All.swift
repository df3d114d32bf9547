extension FuzzTarget {
    /// All that is decoded, each in a form that reaches behind checksums.
    package static let all: [FuzzTarget] = [
        json, decimals, columnTexts, instants, searchQueries, words, postings, searchKeys, records,
        journalEntries, storeHeaders, sealedPages, serverValues, serverJSON, connectionStrings,
        tableComments, declarations, columnValues,
    ]
}

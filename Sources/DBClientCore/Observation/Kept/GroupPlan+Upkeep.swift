extension GroupedRows {
    /// Returns how the rows of a grouping like the plan's follow commits.
    func upkeep(of grouping: RowGrouping) -> Upkeep {
        // What is left out may let another one in.
        isFiltered && (plan.resolvedWindow.limit != nil || plan.resolvedWindow.offset != 0)
            ? .readAgain(.window) : plan.upkeep(of: grouping)
    }
}

extension GroupPlan {
    /// Returns how the groups of the plan's grouping, or of one like it, follow commits.
    func upkeep(of grouping: RowGrouping) -> Upkeep {
        // Any group may change what the others get from it.
        hasWindows
            ? .readAgain(.derived) : Upkeep.ofGroups(grouping, isOfStoredShape: isOfStoredShape)
    }
}

extension GroupPlan {
    /// Returns how the groups of the plan's grouping, or of one like it, follow commits.
    func upkeep(of grouping: RowGrouping) -> Upkeep {
        // Any group may change what the others get from it.
        hasWindows
            ? .readAgain(.derived) : Upkeep.ofGroups(grouping, isOfStoredShape: isOfStoredShape)
    }
}

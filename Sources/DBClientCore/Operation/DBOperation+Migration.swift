extension DBOperation where Mode == ReadOnly {
    /// Returns the operation that has what a migration would change.
    public static func pendingChanges(of steps: [Migration]) -> Self
    where Value == [MigrationChange] {
        Self { try $0.pendingChanges(of: steps) }
    }

    /// Returns the operation that has the statements by which a relational engine would change shapes in a migration.
    public static func pendingStatements(of steps: [Migration]) -> Self where Value == [String] {
        Self { try $0.pendingStatements(of: steps) }
    }
}

extension DBOperation where Mode == ReadWrite {
    /// Returns the operation that migrates a store and has what was changed.
    public static func migrate(
        _ steps: [Migration],
        onFailure policy: MigrationFailurePolicy = .undo
    ) -> Self where Value == [MigrationChange] {
        Self { try $0.migrate(steps, onFailure: policy) }
    }
}

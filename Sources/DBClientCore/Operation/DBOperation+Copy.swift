extension DBOperation where Mode == ReadWrite {
    /// Returns the operation that copies models from another store and has how much it was.
    public static func copy<each Model: StoredConvertible>(
        _ models: repeat (each Model).Type,
        from source: any DBClient,
        onConflict policy: CopyConflictPolicy = .refuse
    ) -> Self where Value == CopyOutcome {
        var copied: [CopiedModel] = []
        repeat copied.append(CopiedModel(each models))
        let models = copied
        return Self { try $0.copy(models, from: source, policy, nil) }
    }
}

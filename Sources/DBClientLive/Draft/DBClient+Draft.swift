public import DBClientCore

extension DBClient {
    /// Returns a stored value as an object that a form edits.
    ///
    /// - Parameters:
    ///   - value: The value as it is stored.
    ///   - debounce: How long nothing must be edited before edits are written.
    ///   - retry: After which errors it follows the store anew.
    /// - Returns: The draft, which shows what the store has and what is edited.
    @MainActor
    public func draft<Model: StoredConvertible>(
        of value: Model,
        debounce: Duration = .milliseconds(300),
        retry: LiveRetry = .transient
    ) -> LiveDraft<Model> {
        LiveDraft(self, value, debounce: debounce, retry)
    }
}

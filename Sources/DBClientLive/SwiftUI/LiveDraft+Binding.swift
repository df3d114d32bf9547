#if canImport(SwiftUI)
import DBClientCore
public import SwiftUI

extension LiveDraft {
    /// Returns a binding to a property: what a control sets is shown at once and written a little later.
    ///
    /// ```swift
    /// TextField("Name", text: draft.binding(\.name))
    /// ```
    public func binding<Value: Sendable>(
        _ path: any WritableKeyPath<Model, Value> & Sendable
    ) -> Binding<Value> {
        Binding(
            get: { @MainActor in self[dynamicMember: path] },
            set: { @MainActor in self[dynamicMember: path] = $0 }
        )
    }
}
#endif

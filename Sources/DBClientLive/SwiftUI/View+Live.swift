#if canImport(SwiftUI)
public import SwiftUI

extension View {
    /// Pauses live objects while the view is hidden, from a second after it was, and lets them catch up when it is shown.
    public func pausesWhenHidden(
        _ objects: any LiveObject...,
        after duration: Duration = .seconds(1)
    ) -> some View {
        onAppear { for object in objects { object.resume() } }
            .onDisappear { for object in objects { object.pause(after: duration) } }
    }
}
#endif

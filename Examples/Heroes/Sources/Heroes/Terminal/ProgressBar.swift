/// A bar that grows in place on a terminal, and is not drawn anywhere else.
struct ProgressBar {
    let title: String
    private let width = 30

    /// Creates a bar and draws it empty.
    init(_ title: String) {
        self.title = title
        draw(0)
    }

    /// Draws the bar for a part of the work that is done, from 0 to 1.
    func draw(_ done: Double) {
        guard Terminal.isInteractive else { return }
        let filled = Int(done * Double(width))
        let bar =
            String(repeating: "█", count: filled)
            + String(repeating: "░", count: width - filled)
        Terminal.write("\r  \(title) \(bar) \(Int(done * 100)) %")
    }

    /// Removes the bar, leaving the line empty.
    func clear() {
        guard Terminal.isInteractive else { return }
        Terminal.write("\r\u{1B}[K")
    }
}

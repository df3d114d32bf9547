/// The failures that an acknowledged commit survives.
public enum Durability: Hashable, Sendable {
    /// A power cut: every commit waits until the disk has it.
    case full
    /// The end of the process. After a power cut the last commits may be gone; the store is intact.
    case relaxed
}

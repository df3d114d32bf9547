public import DBClientCore

/// A way to spell a condition, and the constants that it binds.
public struct SQLForm {
    /// Identifies the spelling: two forms of one identifier differ in their constants alone.
    public var identifier: UInt32
    /// The constants in the order of their placeholders.
    public var constants: [StorageValue]

    /// Creates a form from an identifier and its constants.
    public init(_ identifier: UInt32, _ constants: [StorageValue]) {
        self.identifier = identifier
        self.constants = constants
    }
}

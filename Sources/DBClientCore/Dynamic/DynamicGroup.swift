/// A group of rows: the values of its keys, and what the functions come to, each in the order of the request.
public struct DynamicGroup: Hashable, Sendable {
    /// The values of the fields that the group is formed by.
    public let keys: [DynamicValue]
    /// The values of the functions.
    public let values: [DynamicValue]
}

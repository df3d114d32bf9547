extension AnyKeyPath {
    /// The property as messages name it: a computed one has no name at run time, but an address.
    var named: String {
        let text = "\(self)"
        guard text.contains("<computed") else { return "property \(text)" }
        return "computed property of type \(Self.valueType), reached from \(Self.rootType),"
    }
}

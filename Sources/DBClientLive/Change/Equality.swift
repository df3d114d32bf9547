/// Whether two elements are equal: by `==` where they have it, tuples by their parts.
///
/// Whatever else is never the same, and so is told as changed. A pack of a tuple's types would say it to the compiler,
/// which crashes on a closure that takes such a tuple.
func isEqual<Element>(_ left: Element, _ right: Element) -> Bool {
    if let left = left as? any Equatable { return left.isEqual(to: right) }
    return isEqualTuple(left, right)
}

private func isEqualTuple(_ left: Any, _ right: Any) -> Bool {
    let left = Mirror(reflecting: left)
    let right = Mirror(reflecting: right)
    guard left.displayStyle == .tuple, right.displayStyle == .tuple else { return false }
    return left.children.elementsEqual(right.children) { isEqual($0.value, $1.value) }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}

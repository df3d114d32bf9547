/// A value that was found in a tree or a graph, and where.
public struct TreeNode<Model: StoredConvertible>: Sendable {
    /// The value as it is stored.
    public let model: Model
    /// The least number of steps that lead to the value; zero for one that the walk starts from.
    public let depth: Int
    private let place: (paths: TreePaths<Model.PrimaryKey>, node: Int)?

    init(_ model: Model, depth: Int, at place: (TreePaths<Model.PrimaryKey>, Int)?) {
        self.model = model
        self.depth = depth
        self.place = place
    }

    /// The primary keys on the way from the start to the value, both included; nil unless the request asks for paths.
    ///
    /// It is put together each time: its length is ``depth`` and one.
    public var path: [Model.PrimaryKey]? {
        place.map { $0.paths.keys(to: $0.node) }
    }
}

extension TreeNode: Equatable where Model: Equatable {
    /// Whether the values, their depths and the ways to them are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.depth == right.depth && left.model == right.model && left.path == right.path
    }
}

extension TreeNode: Hashable where Model: Hashable {
    /// Hashes the value and its depth.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(model)
        hasher.combine(depth)
    }
}

/// The nodes of a result as far as they are on a way to others: one for all of it, so that a path takes no memory.
final class TreePaths<Key: Sendable>: Sendable {
    private let keys: [Key]
    /// The node before each; -1 for one that the walk starts from.
    private let parents: [Int32]

    init(_ keys: [Key], _ parents: [Int32]) {
        self.keys = keys
        self.parents = parents
    }

    func keys(to node: Int) -> [Key] {
        var path: [Key] = []
        var next = node
        while next >= 0 {
            path.append(keys[next])
            next = Int(parents[next])
        }
        return path.reversed()
    }
}

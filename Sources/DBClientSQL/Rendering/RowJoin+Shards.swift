import DBClientCore

// Parts of a join whose rows have the same shard key.
extension RowJoin {
    /// Returns the join with the shard keys of parts that have the same.
    func namingShards() -> RowJoin {
        var join = self
        for (index, part) in parts.enumerated() {
            guard let own = part.entity.shardKey else { continue }
            for other in partsOfSameShard(as: index) {
                guard let key = parts[other].entity.shardKey else { continue }
                let (left, right) = (part.offset + own, parts[other].offset + key)
                let equality = RowCondition.compareFields(column: left, .equal, to: right)
                let opposite = RowCondition.compareFields(column: right, .equal, to: left)
                let known = part.condition.conjuncts
                if known.contains(equality) || known.contains(opposite) { continue }
                join.parts[index].condition = .conjunction(join.parts[index].condition, equality)
            }
        }
        return join
    }

    /// Returns the parts before one whose rows have the shard key of the rows that are joined to them.
    private func partsOfSameShard(as index: Int) -> [Int] {
        func shardColumns(_ part: Part) -> [Int] {
            part.entity.shardColumns.map { $0 + part.offset }
        }
        func mayBeNil(_ column: Int) -> Bool {
            let part = parts[self.part(of: column)]
            return part.isOptional && part != parts[index]
                || part.entity.fields[column - part.offset].isOptional
        }
        let own = shardColumns(parts[index])
        return (0..<index).filter { other in
            let others = shardColumns(parts[other])
            return parts[index].condition.conjuncts.contains { condition in
                guard case .compareFields(let left, .equal, let right) = condition else {
                    return false
                }
                let matches =
                    own.contains(left) && others.contains(right)
                    || own.contains(right) && others.contains(left)
                // Two that are absent are equal as well.
                return matches && !(mayBeNil(left) && mayBeNil(right))
            }
        }
    }

    /// Returns the parts whose shard key a condition on joined rows says, itself or by what they are joined to.
    func partsOfKnownShards(_ condition: RowCondition) -> Set<Int> {
        var known = Set(
            parts.indices.filter { index in
                let part = parts[index]
                let fields = part.entity.shardColumns.map { $0 + part.offset }
                return ShardRoute.values(of: condition, in: fields) != nil
                    || ShardRoute.values(of: part.condition, in: fields) != nil
            }
        )
        for index in parts.indices {
            let same = partsOfSameShard(as: index)
            if same.contains(where: known.contains) { known.insert(index) }
            // What is left out where nothing is joined to it has the shard key of what is.
            if known.contains(index), !parts[index].isOptional { known.formUnion(same) }
        }
        return known
    }
}

extension RowCondition {
    /// The conditions that must all hold.
    fileprivate var conjuncts: [RowCondition] {
        if case .all(let operands) = self { return operands.flatMap(\.conjuncts) }
        return [self]
    }
}

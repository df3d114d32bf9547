extension RowBuffer {
    /// Puts rows of every field in an order of their own fields.
    package func sort(by orderings: [RowOrdering]) {
        let comparator = RowComparator(orderings)
        let batch = batch
        func precedes(_ left: Int, _ right: Int) -> Bool {
            for index in orderings.indices {
                let column = orderings[index].column
                let order = comparator.compare(batch[left, column], batch[right, column], by: index)
                if order != 0 { return order < 0 }
            }
            return left < right
        }
        let order = (0..<count).sorted(by: precedes)
        if zip(order, 0..<count).allSatisfy({ $0 == $1 }) { return }
        let copy = subset(order)
        copy.lenders = []
        for row in 0..<count {
            for column in columns.indices {
                replace(row: row, column: column, with: copy.batch[row, column])
            }
        }
    }
}

/// The least or the greatest of values that come and go: confined to the hub.
///
/// Two heaps, the values that came and those that went; where both have the same one on top, it is gone. So a change costs
/// the logarithm of the number of values, and equal values need no counting.
struct KeptExtreme: Sendable {
    private let isGreatest: Bool
    private var come: [StorageValue] = []
    private var gone: [StorageValue] = []

    /// Creates the least or the greatest of nothing yet.
    init(isGreatest: Bool) {
        self.isGreatest = isGreatest
    }

    /// Adds a value, unless it is absent.
    mutating func add(_ slot: Slot) {
        if !slot.isNull { push(StorageValue(slot), to: &come) }
    }

    /// Takes a value away that was added, or that will be before the extreme is asked for.
    mutating func remove(_ slot: Slot) {
        if slot.isNull { return }
        push(StorageValue(slot), to: &gone)
        if gone.count > 64, gone.count > come.count / 2 { compact() }
    }

    /// The extreme; null of no values.
    mutating func value() -> StorageValue {
        while let last = gone.first, last == come.first {
            pop(&gone)
            pop(&come)
        }
        return come.first ?? .null
    }

    /// Lets go of what is gone, at the cost of all values, which is due once for half as many changes.
    private mutating func compact() {
        var counts: [StorageValue: Int] = [:]
        for value in gone { counts[value, default: 0] += 1 }
        come.removeAll { value in
            guard let count = counts[value], count > 0 else { return false }
            counts[value] = count == 1 ? nil : count - 1
            return true
        }
        gone = counts.flatMap { Array(repeating: $0.key, count: $0.value) }
        for index in come.indices.reversed() { sink(index, in: &come) }
        for index in gone.indices.reversed() { sink(index, in: &gone) }
    }

    private func isBefore(_ left: StorageValue, _ right: StorageValue) -> Bool {
        let order = left.withSlot { left in right.withSlot { Slot.compare(left, $0) } }
        return isGreatest ? order > 0 : order < 0
    }

    private func push(_ value: StorageValue, to heap: inout [StorageValue]) {
        heap.append(value)
        var index = heap.count - 1
        while index > 0, isBefore(heap[index], heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private func pop(_ heap: inout [StorageValue]) {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(0, in: &heap)
    }

    private func sink(_ start: Int, in heap: inout [StorageValue]) {
        var index = start
        while true {
            var first = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && isBefore(heap[child], heap[first]) { first = child }
            if first == index { return }
            heap.swapAt(index, first)
            index = first
        }
    }
}

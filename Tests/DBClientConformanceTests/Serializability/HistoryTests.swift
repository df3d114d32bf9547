import Testing

/// What the checker of histories finds, on histories that were made by hand.
struct HistoryTests {
    private typealias Step = History.Step
    private typealias Transaction = History.Transaction

    private func faults(_ transactions: [Transaction], _ final: [Int: [Int]]) -> [String] {
        History(transactions: transactions, final: final).faults()
    }

    private func committed(_ steps: Step...) -> Transaction {
        Transaction(outcome: .committed, steps: steps)
    }

    @Test("A serial history has no fault, whatever order it was noted in")
    func serial() {
        let first = committed(Step(key: 0, read: [], appended: 1))
        let second = committed(
            Step(key: 0, read: [1], appended: 2),
            Step(key: 0, read: [1, 2], appended: 3),
            Step(key: 1, read: [])
        )
        let third = committed(Step(key: 0, read: [1, 2, 3]), Step(key: 1, read: [], appended: 4))
        let undone = Transaction(
            outcome: .rolledBack,
            steps: [Step(key: 1, read: [], appended: 5)]
        )
        let final = [0: [1, 2, 3], 1: [4]]
        #expect(faults([third, undone, first, second], final).isEmpty)
    }

    @Test("An append that another one took away is lost")
    func lostAppend() {
        let both = [1, 2].map { committed(Step(key: 0, read: [], appended: $0)) }
        #expect(faults(both, [0: [2]]).contains("lost: 1"))
    }

    @Test("Two that each miss what the other appends are a cycle")
    func writeSkew() {
        let first = committed(Step(key: 0, read: []), Step(key: 1, read: [], appended: 1))
        let second = committed(Step(key: 1, read: []), Step(key: 0, read: [], appended: 2))
        let found = faults([first, second], [0: [2], 1: [1]])
        #expect(found.count == 1 && found.first?.hasPrefix("a cycle") == true)
    }

    @Test("A reader that sees one half of a transaction is on a cycle")
    func halfATransaction() {
        let writer = committed(
            Step(key: 0, read: [], appended: 1),
            Step(key: 1, read: [], appended: 2)
        )
        let reader = committed(Step(key: 0, read: [1]), Step(key: 1, read: []))
        #expect(faults([writer, reader], [0: [1], 1: [2]]).count == 1)
    }

    @Test("What was rolled back may be neither read nor there")
    func rolledBack() {
        let undone = Transaction(
            outcome: .rolledBack,
            steps: [Step(key: 0, read: [], appended: 1)]
        )
        let reader = committed(Step(key: 0, read: [1]))
        #expect(faults([undone, reader], [0: []]).count == 1)
        #expect(faults([undone], [0: [1]]).count == 1)
    }

    @Test("What is unknown may be there or not")
    func unknown() {
        let doubtful = Transaction(outcome: .unknown, steps: [Step(key: 0, read: [], appended: 1)])
        #expect(faults([doubtful], [0: []]).isEmpty)
        #expect(faults([doubtful], [0: [1]]).isEmpty)
    }
}

/// How many there are of something.
struct Count: Encodable, Sendable {
    let name: String
    let number: Int

    init(of name: String, _ number: Int) {
        self.name = name
        self.number = number
    }
}

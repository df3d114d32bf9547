import DBClientCore

func add(_ hero: Character, to client: any DBClient) async throws {
    // snippet: errors
    do {
        try await client.insert(hero)
    } catch let error as DBClientError {
        switch error.code {
        case .duplicateKey: print("\(hero.name) is there already.")
        case .full: print("The disk is full.")
        default: print(error)
        }
    }
    // end snippet
}

import DBClientCore

/// Copies the file's publishers and characters into a store, batch by batch.
///
/// Each batch is one transaction, so one that fails leaves nothing of itself behind.
struct Import {
    let file: HeroesFile
    let batchSize = 50

    /// Runs the import, telling `progress` after each batch how much is done, from 0 to 1.
    func run(into client: any DBClient, progress: (Double) -> Void) async throws {
        try await client.insert(file.publishers)
        var imported = 0
        while imported < file.characters.count {
            let batch = file.characters[imported...].prefix(batchSize)
            try await client.insert(Array(batch))
            imported += batch.count
            progress(Double(imported) / Double(file.characters.count))
        }
    }
}

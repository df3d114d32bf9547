import Foundation

/// What `heroes.json` holds.
struct HeroesFile: Decodable {
    let publishers: [Publisher]
    let characters: [Character]

    /// Reads the file that comes with the example.
    static func load() throws -> HeroesFile {
        guard let url = Bundle.module.url(forResource: "heroes", withExtension: "json") else {
            throw TourError("heroes.json is missing beside the program.")
        }
        return try JSONDecoder().decode(HeroesFile.self, from: Data(contentsOf: url))
    }
}

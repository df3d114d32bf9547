import Testing

@testable import ModelGenerator

struct NameTests {
    @Test(arguments: [
        ("billing_postal_code", ["billing", "postal", "code"]),
        ("BillingPostalCode", ["billing", "postal", "code"]),
        ("CUSTOMER_ID", ["customer", "id"]),
        ("HTMLBody2", ["html", "body2"]),
        ("userIDs", ["user", "ids"]),
        ("a \"b\" (c)", ["a", "b", "c"]),
        ("größe", ["größe"]),
        ("—", []),
    ])
    func aNameHasWords(_ name: String, _ words: [String]) {
        #expect(SwiftIdentifier.words(of: name) == words)
    }

    @Test(arguments: [
        (["artist", "id"], "artistID", "ArtistID"),
        (["url"], "url", "URL"),
        (["user", "ids"], "userIDs", "UserIDs"),
        (["2fa"], "_2fa", "_2fa"),
        ([], "unnamed", "Unnamed"),
        (["größe"], "größe", "Größe"),
    ])
    func wordsMakeNames(_ words: [String], _ property: String, _ type: String) {
        #expect(SwiftIdentifier.lowerCamel(words) == property)
        #expect(SwiftIdentifier.upperCamel(words) == type)
    }

    @Test func wordsOfTheLanguageAreEscaped() {
        #expect(SwiftIdentifier.escaped("default") == "`default`")
        #expect(SwiftIdentifier.escaped("name") == "name")
    }

    @Test(arguments: [
        ("albums", "album"), ("categories", "category"), ("people", "person"),
        ("addresses", "address"),
        ("boxes", "box"), ("statuses", "status"), ("houses", "house"), ("status", "status"),
        ("series", "series"), ("movies", "movie"), ("glass", "glass"), ("cases", "case"),
        ("news", "news"), ("bus", "bus"), ("indices", "index"),
    ])
    func aNounHasASingular(_ plural: String, _ singular: String) {
        #expect(EnglishNoun.singular(of: plural) == singular)
    }

    @Test(arguments: [
        ("album", "albums"), ("category", "categories"), ("person", "people"),
        ("address", "addresses"),
        ("day", "days"), ("box", "boxes"), ("series", "series"), ("child", "children"),
    ])
    func aNounHasAPlural(_ singular: String, _ plural: String) {
        #expect(EnglishNoun.plural(of: singular) == plural)
    }

    @Test func noNameIsGivenTwice() {
        var names = UniqueNames(taken: ["Date"], ignoringCase: true)
        #expect(names.take("date", "dateRow") == "dateRow")
        #expect(names.take("User", "Users") == "User")
        #expect(names.take("USER", "USERS") == "USERS")
        #expect(names.take("user", "users") == "users2")
    }
}
